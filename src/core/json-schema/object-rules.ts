import { atLeast, atMost, kindsInWords, notAllowed } from "../in-words.ts";
import { all, apply, applyInside, type Compiler, type Node, type Rule, stepsOfText } from "./node.ts";
import { compilePattern, type Pattern } from "./patterns.ts";
import type { Run, Seen } from "./run.ts";
import { isObject, type Schema, type SchemaObject } from "./vocabulary.ts";

type ObjectRule = (value: SchemaObject, run: Run, seen: Seen | null) => boolean;

/** The rules for objects. */
export function objectRules(schema: SchemaObject, compiler: Compiler): Rule[] {
  const rules: ObjectRule[] = [...countRules(schema), ...dependentRules(schema, compiler)];
  const { required } = schema as { readonly required?: readonly string[] };
  if (required !== undefined) rules.push((value, run) => hasAll(value, required, run, schema));
  if ("propertyNames" in schema) {
    const node = compiler.nodeOf(schema["propertyNames"] as Schema);
    rules.push((value, run, seen) =>
      all(Object.keys(value), run, (key) => applyInside(node, key, key, run, seen)),
    );
  }
  const properties = nodesOf(schema["properties"], compiler);
  const patterns = [...nodesOf(schema["patternProperties"], compiler)].map(
    ([pattern, node]) => [compilePattern(pattern), node] as const,
  );
  if (properties.size > 0)
    rules.push((value, run, seen) =>
      all(properties, run, ([key, node]) => {
        if (!Object.hasOwn(value, key)) return true;
        seen?.keys.add(key);
        return applyInside(node, value[key], key, run, seen);
      }),
    );
  if (patterns.length > 0)
    rules.push((value, run, seen) =>
      all(Object.keys(value), run, (key) => fitsPatterns(patterns, value, key, run, seen)),
    );
  if ("additionalProperties" in schema) {
    const node = compiler.nodeOf(schema["additionalProperties"] as Schema);
    const isKnown = (key: string, run: Run): boolean =>
      properties.has(key) || patterns.some(([pattern]) => matches(pattern, key, run));
    rules.push(theOthers(node, isKnown, [...properties.keys()]));
  }
  // Last: it asks what all the others have seen.
  if ("unevaluatedProperties" in schema) {
    const node = compiler.nodeOf(schema["unevaluatedProperties"] as Schema);
    rules.push(theOthers(node, isSeen, [...properties.keys()]));
  }
  return rules.map((rule) => (value, run, seen) => !isObject(value) || rule(value, run, seen));
}

const nodesOf = (schemas: unknown, { nodeOf }: Compiler): ReadonlyMap<string, Node> =>
  new Map(
    Object.entries((schemas ?? {}) as Record<string, Schema>).map(([key, part]) => [key, nodeOf(part)]),
  );

const isSeen = (key: string, _run: Run, seen: Seen | null): boolean => seen?.keys.has(key) === true;

const count = (value: SchemaObject): number => Object.keys(value).length;

function countRules({ minProperties, maxProperties }: SchemaObject): ObjectRule[] {
  return [
    ...(typeof minProperties === "number"
      ? [
          (value: SchemaObject, run: Run) =>
            count(value) >= minProperties || run.fail(atLeast(minProperties, "field")),
        ]
      : []),
    ...(typeof maxProperties === "number"
      ? [
          (value: SchemaObject, run: Run) =>
            count(value) <= maxProperties || run.fail(atMost(maxProperties, "field")),
        ]
      : []),
  ];
}

function dependentRules(schema: SchemaObject, compiler: Compiler): ObjectRule[] {
  const names = Object.entries((schema["dependentRequired"] ?? {}) as Record<string, readonly string[]>);
  const schemas = nodesOf(schema["dependentSchemas"], compiler);
  const rules: ObjectRule[] = [];
  if (names.length > 0)
    rules.push((value, run) =>
      all(names, run, ([key, needed]) => !Object.hasOwn(value, key) || hasAll(value, needed, run, schema)),
    );
  if (schemas.size > 0)
    rules.push((value, run, seen) =>
      all(schemas, run, ([key, node]) => !Object.hasOwn(value, key) || apply(node, value, run, seen)),
    );
  return rules;
}

function hasAll(value: SchemaObject, keys: readonly string[], run: Run, schema: SchemaObject): boolean {
  run.spend(stepsOfText(keys.length));
  return all(
    keys,
    run,
    (key) => Object.hasOwn(value, key) || run.fail(() => requiredInWords(schema, key), key),
  );
}

function requiredInWords({ properties }: SchemaObject, key: string): string {
  const part = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const types = isObject(part) && part["type"] !== undefined ? ([part["type"]].flat() as string[]) : [];
  return types.length === 0 ? "is required" : `is required and must be ${kindsInWords(types)}`;
}

function fitsPatterns(
  patterns: readonly (readonly [Pattern, Node])[],
  value: SchemaObject,
  key: string,
  run: Run,
  seen: Seen | null,
): boolean {
  return all(patterns, run, ([pattern, node]) => {
    if (!matches(pattern, key, run)) return true;
    seen?.keys.add(key);
    return applyInside(node, value[key], key, run, seen);
  });
}

function matches(pattern: Pattern, key: string, run: Run): boolean {
  run.spend(1 + pattern.steps(key.length));
  return pattern.test(key);
}

/** What no other rule knows has to fit this schema; `names` are those that it may have been meant for. */
function theOthers(
  node: Node,
  isKnown: (key: string, run: Run, seen: Seen | null) => boolean,
  names: readonly string[],
): ObjectRule {
  return (value, run, seen) =>
    all(Object.keys(value), run, (key) => {
      if (isKnown(key, run, seen)) return true;
      seen?.keys.add(key);
      return node.nothing
        ? run.fail(() => notAllowed([key], names))
        : applyInside(node, value[key], key, run, seen);
    });
}
