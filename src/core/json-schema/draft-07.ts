import { isObject, LIST, MAP, ONE, type SchemaObject } from "./vocabulary.ts";

/** A schema of draft-07 as 2020-12 says the same: the differences that `$schema` alone would hide. */
export function fromDraft07(schema: SchemaObject): SchemaObject {
  // Beside a reference nothing else counted (draft-07, 8.3); definitions may still be referred to.
  if (typeof schema["$ref"] === "string") {
    const { $ref, definitions } = schema;
    return { $ref, ...(isObject(definitions) ? { definitions: mapValues(definitions, convert) } : {}) };
  }
  const { items, additionalItems, dependencies, ...rest } = schema;
  return {
    ...parts(rest),
    ...(Array.isArray(items)
      ? {
          ...(items.length === 0 ? {} : { prefixItems: items.map(convert) }),
          ...(additionalItems === undefined ? {} : { items: convert(additionalItems) }),
        }
      : items === undefined
        ? {}
        : { items: convert(items) }),
    ...(isObject(dependencies) ? fromDependencies(dependencies) : {}),
  };
}

const convert = (schema: unknown): unknown => (isObject(schema) ? fromDraft07(schema) : schema);

function parts(schema: SchemaObject): SchemaObject {
  const converted: Record<string, unknown> = { ...schema };
  for (const keyword of ONE) if (keyword in schema) converted[keyword] = convert(schema[keyword]);
  for (const keyword of LIST) {
    const list = schema[keyword];
    if (Array.isArray(list)) converted[keyword] = list.map(convert);
  }
  for (const keyword of MAP) {
    const map = schema[keyword];
    if (isObject(map)) converted[keyword] = mapValues(map, convert);
  }
  return converted;
}

function fromDependencies(dependencies: SchemaObject): SchemaObject {
  const entries = Object.entries(dependencies);
  return {
    dependentRequired: Object.fromEntries(entries.filter(([, value]) => Array.isArray(value))),
    dependentSchemas: Object.fromEntries(
      entries.filter(([, value]) => !Array.isArray(value)).map(([name, value]) => [name, convert(value)]),
    ),
  };
}

const mapValues = (map: SchemaObject, to: (value: unknown) => unknown): SchemaObject =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, to(value)]));
