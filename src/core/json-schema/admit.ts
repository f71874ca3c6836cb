import { SchemaFault } from "./faults.ts";
import { fromDraft07 } from "./draft-07.ts";
import { SCHEMA_LIMITS } from "./limits.ts";
import { sizeOfPattern } from "./patterns.ts";
import { isObject, LIST, MAP, ONE, type Schema, type SchemaObject, VALUES } from "./vocabulary.ts";

const DRAFT_07 = "http://json-schema.org/draft-07/schema";
const DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema";

/** A schema of 2020-12 that keeps all limits, refers to nothing outside itself, and recurs only into parts of a value. */
export type Admitted = {
  readonly root: Schema;
  /** The root and all schemas in it. */
  readonly schemas: readonly Schema[];
  /** The schema that a reference names. */
  readonly at: (ref: string) => Schema;
};

/** Keywords that would make a schema be found elsewhere, or elsewhere under its name. */
const REFUSED = [
  "$id",
  "$anchor",
  "$dynamicRef",
  "$dynamicAnchor",
  "$recursiveRef",
  "$recursiveAnchor",
  "$vocabulary",
];
const REFUSED_NAMES = new Set(["__proto__", "constructor", "prototype"]);

/**
 * What a schema is for. A `contract` is kept, and shown to others, so that it may hold nothing that another reader would
 * take for something else, or compare without end; a `shape` is of one call, asserts `format`, and may have a name.
 */
export type SchemaUse = "contract" | "shape";

/**
 * Looks at a schema that somebody outside has written, in 2020-12, or in draft-07 where `$schema` says so.
 * Throws `SchemaFault` with the first thing that speaks against it.
 */
export function admit(given: unknown, use: SchemaUse): Admitted {
  checkSize(given);
  const root = inCurrentDialect(use === "shape" ? withoutName(given) : given);
  const places = new Map<string, Schema>();
  collect(root, "#", places);
  checkPatterns(places);
  if (use === "contract") checkContract(given, places);
  const at = (ref: string): Schema => {
    const found = places.get(decodedUri(ref));
    if (found === undefined) throw new SchemaFault(`It refers to ${ref}, where it has no schema.`);
    return found;
  };
  checkVisits(places, at);
  return { root, schemas: [...places.values()], at };
}

function checkSize(given: unknown): void {
  let nodes = 0;
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null) return;
    if (depth > SCHEMA_LIMITS.depth)
      throw new SchemaFault(`It is deeper than ${SCHEMA_LIMITS.depth} levels.`);
    nodes += 1;
    if (nodes > SCHEMA_LIMITS.nodes)
      throw new SchemaFault(`It is larger than ${SCHEMA_LIMITS.nodes} objects and lists.`);
    for (const part of Object.values(value)) visit(part, depth + 1);
  };
  visit(given, 1);
  if (Buffer.byteLength(JSON.stringify(given) ?? "") > SCHEMA_LIMITS.bytes)
    throw new SchemaFault(`It is larger than ${SCHEMA_LIMITS.bytes} bytes.`);
}

function inCurrentDialect(given: unknown): Schema {
  if (typeof given === "boolean") return given;
  if (!isObject(given)) throw new SchemaFault("It is malformed: a schema is an object, true or false.");
  const { $schema = DRAFT_2020 } = given;
  const dialect = typeof $schema === "string" ? $schema.replace(/#$/, "") : undefined;
  if (dialect === DRAFT_2020) return given;
  if (dialect === DRAFT_07) return fromDraft07(given);
  throw new SchemaFault(`Its dialect is none of ${DRAFT_2020} and ${DRAFT_07}.`);
}

/** References begin at the root, whatever it is called. */
function withoutName(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { $id: _name, ...rest } = given;
  return rest;
}

function checkPatterns(places: ReadonlyMap<string, Schema>): void {
  let size = 0;
  for (const schema of places.values()) {
    if (typeof schema === "boolean") continue;
    const { pattern, patternProperties } = schema;
    if (typeof pattern === "string") size += sizeOfPattern(pattern);
    for (const each of Object.keys(patternProperties ?? {})) size += sizeOfPattern(each);
  }
  if (size > SCHEMA_LIMITS.patternSize)
    throw new SchemaFault("Its patterns are too large, or repeat too often.");
}

function checkContract(given: unknown, places: ReadonlyMap<string, Schema>): void {
  const checkNames = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, part] of Object.entries(value)) {
      if (REFUSED_NAMES.has(name)) throw new SchemaFault(`It has a key ${name}.`);
      checkNames(part);
    }
  };
  checkNames(given);
  for (const [pointer, schema] of places) {
    if (typeof schema === "boolean" || schema["uniqueItems"] !== true) continue;
    const { maxItems } = schema;
    if (typeof maxItems !== "number" || maxItems > SCHEMA_LIMITS.uniqueItems)
      throw new SchemaFault(
        `uniqueItems, at ${pointer}, needs maxItems of at most ${SCHEMA_LIMITS.uniqueItems}.`,
      );
  }
}

/** Notes each schema under its pointer, and checks what stands under its keywords. */
function collect(schema: unknown, pointer: string, places: Map<string, Schema>): void {
  if (typeof schema !== "boolean" && !isObject(schema))
    throw new SchemaFault(`It is malformed: ${pointer} must be a schema.`);
  places.set(pointer, schema);
  if (typeof schema === "boolean") return;
  checkKeywords(schema, pointer);
  for (const [key, part] of partsOf(schema, pointer)) collect(part, `${pointer}/${key}`, places);
}

function checkKeywords(schema: SchemaObject, pointer: string): void {
  for (const keyword of REFUSED) {
    if (keyword in schema)
      throw new SchemaFault(`It uses ${keyword}, at ${pointer}, which is not taken here.`);
  }
  for (const [keyword, value] of Object.entries(schema)) {
    const [holds, expected] = VALUES[keyword] ?? [];
    if (holds?.(value) === false)
      throw new SchemaFault(`It is malformed: ${pointer}/${keyword} must be ${expected}.`);
  }
  const { $ref } = schema;
  if (typeof $ref === "string" && $ref !== "#" && !$ref.startsWith("#/"))
    throw new SchemaFault(`It refers to ${$ref}, at ${pointer}; only references within itself are followed.`);
}

/** The schemas that stand directly in one, by the rest of their pointer. */
function* partsOf(schema: SchemaObject, pointer: string): Iterable<readonly [string, unknown]> {
  for (const keyword of ONE) if (keyword in schema) yield [keyword, schema[keyword]];
  for (const keyword of LIST) {
    const list = schema[keyword];
    if (list === undefined) continue;
    if (!Array.isArray(list) || list.length === 0)
      throw new SchemaFault(`It is malformed: ${pointer}/${keyword} must be a list of schemas.`);
    for (const [index, part] of list.entries()) yield [`${keyword}/${index}`, part];
  }
  for (const keyword of MAP) {
    const map = schema[keyword];
    if (map === undefined) continue;
    if (!isObject(map))
      throw new SchemaFault(`It is malformed: ${pointer}/${keyword} must be an object of schemas.`);
    for (const [name, part] of Object.entries(map)) yield [`${keyword}/${escaped(name)}`, part];
  }
}

/** A name as it stands in a JSON pointer (RFC 6901, 3). */
const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** A reference is a URI: what stands in its fragment may be percent-encoded. */
function decodedUri(ref: string): string {
  try {
    return decodeURIComponent(ref);
  } catch {
    throw new SchemaFault(`It refers to ${ref}, which is no URI.`);
  }
}

/** The schemas that look at the same value as this one does. */
function* inPlace(schema: SchemaObject, at: Admitted["at"]): Iterable<Schema> {
  if (typeof schema["$ref"] === "string") yield at(schema["$ref"]);
  for (const keyword of ["allOf", "anyOf", "oneOf"]) yield* (schema[keyword] as Schema[] | undefined) ?? [];
  for (const keyword of ["not", "if", "then", "else"]) {
    if (keyword in schema) yield schema[keyword] as Schema;
  }
  yield* Object.values((schema["dependentSchemas"] as Record<string, Schema> | undefined) ?? {});
}

/**
 * How many schemas look at one value is counted once for each schema and added up along the references: it may double
 * with each of them. One that comes back to itself without going into the value would never end.
 */
function checkVisits(places: ReadonlyMap<string, Schema>, at: Admitted["at"]): void {
  const known = new Map<SchemaObject, number | "open">();
  const visitsOf = (schema: Schema): number => {
    if (typeof schema === "boolean") return 1;
    const before = known.get(schema);
    if (before === "open") throw new SchemaFault("It refers to itself without end.");
    if (before !== undefined) return before;
    known.set(schema, "open");
    let visits = 1;
    for (const other of inPlace(schema, at)) visits += visitsOf(other);
    if (visits > SCHEMA_LIMITS.visits)
      throw new SchemaFault(`More than ${SCHEMA_LIMITS.visits} of its schemas look at the same value.`);
    known.set(schema, visits);
    return visits;
  };
  for (const schema of places.values()) visitsOf(schema);
}
