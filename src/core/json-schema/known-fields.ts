import { isObject, type Schema, type SchemaObject } from "./vocabulary.ts";

/** What a schema knows of the fields of a value: their names, and the same of what stands in them. */
export type KnownFields = {
  /** Null where any name may stand. */
  readonly names: ReadonlySet<string> | null;
  /** What is known of the value of a field, or of each item; undefined where nothing is. */
  readonly within: (key: string | number) => KnownFields | undefined;
};

/**
 * The fields that a JSON Schema names, all of its branches taken together: what any of them may allow under any name is
 * not called unknown. `others` are further names at the outermost level. Undefined where it names none.
 */
export function knownFields(root: Schema, others: Iterable<string> = []): KnownFields | undefined {
  const known = new Map<SchemaObject, KnownFields | undefined>();
  const knownOf = (schemas: readonly Schema[]): KnownFields | undefined => {
    const [only] = schemas;
    if (only === undefined || (schemas.length === 1 && !isObject(only))) return undefined;
    if (schemas.length > 1) return made(gathered(schemas, root), knownOf);
    if (!known.has(only as SchemaObject))
      known.set(only as SchemaObject, made(gathered(schemas, root), knownOf));
    return known.get(only as SchemaObject);
  };
  const gathering = gathered([root], root);
  for (const name of others) field(gathering, name);
  return made(gathering, knownOf);
}

/** What the schemas say that look at one value. */
type Gathered = {
  readonly fields: Map<string, Schema[]>;
  /** Of fields without a name, and of items. */
  readonly rest: Schema[];
  readonly items: Schema[];
  /** Whether any name may stand; false as long as some schema names fields, and none lets others pass. */
  open: boolean;
  named: boolean;
};

type KnownOf = (schemas: readonly Schema[]) => KnownFields | undefined;

function made({ fields, rest, items, open, named }: Gathered, knownOf: KnownOf): KnownFields | undefined {
  const isOpen = open || !named;
  const tellsNothing = [...fields.values(), rest, items].every((schemas) => !schemas.some(isTelling));
  if (isOpen && tellsNothing) return undefined;
  const within = new Map<string, KnownFields | undefined>();
  return {
    names: isOpen ? null : new Set(fields.keys()),
    within: (key) => {
      if (typeof key === "number") return knownOf(items);
      if (!fields.has(key)) return knownOf(rest);
      if (!within.has(key)) within.set(key, knownOf(fields.get(key) ?? []));
      return within.get(key);
    },
  };
}

/** Keywords under which something may be said of fields. */
const TELLING = [
  "$ref",
  "additionalProperties",
  "allOf",
  "anyOf",
  "dependentSchemas",
  "if",
  "items",
  "oneOf",
  "prefixItems",
  "properties",
  "required",
];
const isTelling = (schema: Schema): boolean =>
  typeof schema === "object" && TELLING.some((keyword) => keyword in schema);

function field({ fields }: Gathered, name: string, schema?: Schema): void {
  const schemas = fields.get(name) ?? [];
  if (schema !== undefined) schemas.push(schema);
  fields.set(name, schemas);
}

function gathered(schemas: readonly Schema[], root: Schema): Gathered {
  const all: Gathered = { fields: new Map(), rest: [], items: [], open: false, named: false };
  const seen = new Set<Schema>();
  for (const schema of schemas) gather(schema, root, all, seen);
  return all;
}

function gather(schema: Schema | undefined, root: Schema, all: Gathered, seen: Set<Schema>): void {
  if (!isObject(schema) || seen.has(schema)) return;
  seen.add(schema);
  gatherFields(schema, all);
  gatherItems(schema, all);
  const inPlace = [
    referred(schema["$ref"], root),
    ...listOf(schema["allOf"]),
    schema["if"] as Schema | undefined,
    ...Object.values(mapOf(schema["dependentSchemas"])),
  ];
  for (const other of inPlace) gather(other, root, all, seen);
  const branches = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"]), schema["then"], schema["else"]];
  for (const branch of branches) gatherBranch(branch as Schema | undefined, root, all, seen);
}

/** A branch that may be an object and names no field lets every name pass. */
function gatherBranch(branch: Schema | undefined, root: Schema, all: Gathered, seen: Set<Schema>): void {
  if (branch === undefined || branch === false) return;
  const own = gathered([branch], root);
  if (isObject(branch) && "type" in branch && ![branch["type"]].flat().includes("object")) return;
  if (!own.named) all.open = true;
  gather(branch, root, all, seen);
}

function gatherFields(schema: SchemaObject, all: Gathered): void {
  if ("properties" in schema) all.named = true;
  for (const [name, part] of Object.entries(mapOf(schema["properties"]))) field(all, name, part);
  for (const name of namesOf(schema["required"])) field(all, name);
  for (const [name, others] of Object.entries(mapOf(schema["dependentRequired"])))
    for (const each of [name, ...namesOf(others)]) field(all, each);
  if ("patternProperties" in schema || "propertyNames" in schema) all.open = true;
  for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
    const others = schema[keyword] as Schema | undefined;
    if (others === undefined || others === false) continue;
    all.open = true;
    all.rest.push(others);
  }
}

function gatherItems({ items, prefixItems }: SchemaObject, all: Gathered): void {
  for (const list of [items, prefixItems]) {
    if (list !== undefined) all.items.push(...([list].flat() as Schema[]));
  }
}

const listOf = (value: unknown): readonly Schema[] => (Array.isArray(value) ? (value as Schema[]) : []);
const namesOf = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : []);
const mapOf = (value: unknown): Readonly<Record<string, Schema>> =>
  isObject(value) ? (value as Record<string, Schema>) : {};

/** What a reference within the root names; undefined where that is nothing. */
function referred(ref: unknown, root: Schema): Schema | undefined {
  if (typeof ref !== "string" || !ref.startsWith("#")) return undefined;
  let found: unknown = root;
  for (const part of ref.split("/").slice(1)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    found = typeof found === "object" && found !== null ? (found as Record<string, unknown>)[key] : undefined;
  }
  return found as Schema | undefined;
}
