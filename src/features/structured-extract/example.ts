import type { JsonSchema } from "../../core/json-schema/compile.ts";

/** Values of an example that name a type instead of being one. */
export const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "string",
  text: "string",
  number: "number",
  float: "number",
  integer: "integer",
  int: "integer",
  boolean: "boolean",
  bool: "boolean",
};

/**
 * The JSON Schema of data like an example: the same keys, all present and no others, and the same types. What a text
 * does not say is null; a list that it does not fill is empty. An example of null, or of an empty list, may be anything.
 */
export function schemaOfExample(example: Readonly<Record<string, unknown>>): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(example).map(([key, value]) => [key, schemaOfValue(value)]),
    ),
    required: Object.keys(example),
    additionalProperties: false,
  };
}

function schemaOfValue(value: unknown): JsonSchema {
  if (value === null) return {};
  if (Array.isArray(value))
    return { type: "array", items: value.length === 0 ? {} : schemaOfValue(value[0]) };
  if (typeof value === "object") return schemaOfExample(value as Readonly<Record<string, unknown>>);
  const named = typeof value === "string" ? TYPE_NAMES[value.trim().toLowerCase()] : undefined;
  return { type: [named ?? typeof value, "null"] };
}
