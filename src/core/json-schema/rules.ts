import { canonicalJson } from "../canonical.ts";
import { atLeast, atMost, formatInWords, kindsInWords, valuesInWords } from "../in-words.ts";
import { arrayRules } from "./array-rules.ts";
import { isFormat } from "./formats.ts";
import { inPlaceRules } from "./in-place-rules.ts";
import { type Compiler, type Rule, stepsOfText } from "./node.ts";
import { objectRules } from "./object-rules.ts";
import { compilePattern } from "./patterns.ts";
import type { Run } from "./run.ts";
import type { SchemaObject, TypeName } from "./vocabulary.ts";

/** The rules of one schema, in the order in which they are told: those last that ask what the others have seen. */
export function rulesOf(schema: SchemaObject, compiler: Compiler): Rule[] {
  return [
    ...typeRules(schema),
    ...valueRules(schema),
    ...numberRules(schema),
    ...textRules(schema, compiler),
    ...inPlaceRules(schema, compiler),
    ...arrayRules(schema, compiler),
    ...objectRules(schema, compiler),
  ];
}

function typeRules({ type }: SchemaObject): Rule[] {
  if (type === undefined) return [];
  const types = new Set([type].flat() as TypeName[]);
  const expected = `must be ${kindsInWords([...types])}`;
  return [(value, run) => isOfType(value, types) || run.fail(expected)];
}

function isOfType(value: unknown, types: ReadonlySet<TypeName>): boolean {
  if (value === null) return types.has("null");
  if (Array.isArray(value)) return types.has("array");
  if (typeof value === "number")
    return types.has("number") || (types.has("integer") && Number.isInteger(value));
  return types.has(typeof value as TypeName);
}

function valueRules(schema: SchemaObject): Rule[] {
  return [
    ...("const" in schema ? [oneOfValues([schema["const"]])] : []),
    ...("enum" in schema ? [oneOfValues(schema["enum"] as unknown[])] : []),
  ];
}

/** One of these values: canonical JSON is the same for what JSON Schema calls equal. */
function oneOfValues(values: readonly unknown[]): Rule {
  const message = `must be ${values.length > 1 ? "one of " : ""}${valuesInWords(values)}`;
  const known = new Set(values.map(canonicalJson));
  const hasParts = values.some((value) => typeof value === "object" && value !== null);
  return (value, run) => {
    if (typeof value === "object" && value !== null && !hasParts) return run.fail(message);
    const text = canonicalJson(value);
    run.spend(stepsOfText(text.length));
    return known.has(text) || run.fail(message);
  };
}

function numberRules(schema: SchemaObject): Rule[] {
  const rules: Rule[] = [];
  const add = (keyword: string, relation: string, holds: (value: number, bound: number) => boolean): void => {
    const bound = schema[keyword];
    if (typeof bound !== "number") return;
    rules.push(
      (value, run) =>
        typeof value !== "number" || holds(value, bound) || run.fail(`must be ${relation} ${bound}`),
    );
  };
  add("minimum", "at least", (value, bound) => value >= bound);
  add("maximum", "at most", (value, bound) => value <= bound);
  add("exclusiveMinimum", "more than", (value, bound) => value > bound);
  add("exclusiveMaximum", "less than", (value, bound) => value < bound);
  add("multipleOf", "a multiple of", isMultiple);
  return rules;
}

/** Up to what division of such numbers loses: 0.0075 is a multiple of 0.0001. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  if (!Number.isFinite(quotient)) return value % of === 0;
  return Math.abs(quotient - Math.round(quotient)) <= 4 * Number.EPSILON * Math.max(1, Math.abs(quotient));
}

function textRules(schema: SchemaObject, { formats }: Compiler): Rule[] {
  const { minLength, maxLength, pattern, format } = schema;
  const rules: Rule[] = [];
  const add = (holds: (text: string, run: Run) => boolean): void =>
    void rules.push((value, run) => typeof value !== "string" || holds(value, run));
  if (typeof minLength === "number" || typeof maxLength === "number") {
    const [least, most] = [(minLength as number) ?? 0, (maxLength as number) ?? Infinity];
    add((text, run) => {
      run.spend(stepsOfText(text.length));
      const length = codePoints(text);
      if (length < least) return run.fail(atLeast(least, "character"));
      return length <= most || run.fail(atMost(most, "character"));
    });
  }
  if (typeof pattern === "string") {
    const compiled = compilePattern(pattern);
    add((text, run) => {
      run.spend(compiled.steps(text.length));
      return compiled.test(text) || run.fail(`must match the pattern ${pattern}`);
    });
  }
  if (formats && typeof format === "string") {
    add((text, run) => {
      run.spend(stepsOfText(text.length));
      return isFormat(format, text) || run.fail(`must be ${formatInWords(format)}`);
    });
  }
  return rules;
}

function codePoints(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800)
      count -= 1;
  }
  return count;
}
