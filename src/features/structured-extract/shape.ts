import {
  compileSchema,
  isDeeperThan,
  type JsonSchema,
  stepsInThread,
} from "../../core/json-schema/compile.ts";
import { SchemaFault } from "../../core/json-schema/faults.ts";
import { SCHEMA_LIMITS } from "../../core/json-schema/limits.ts";
import { schemaOfExample } from "./example.ts";

/** What a caller asks for: as a schema for the model, and as a check for what it gives. */
export type Shape = {
  readonly schema: JsonSchema;
  /** What is wrong with data, in words; undefined for valid one. Throws `OutOfSteps`. */
  readonly check: (data: unknown) => string | undefined;
  /** The caller's own words, where the shape is described. */
  readonly description?: string;
};

const DESCRIPTION_CHARS = 16_384;

/** What a JSON Schema is made of; an example object has keys of its own. */
const SCHEMA_KEYS = new Set(
  (
    "$schema $id $ref $defs $comment $anchor $dynamicRef $dynamicAnchor $vocabulary definitions type enum const title " +
    "description default examples deprecated readOnly writeOnly nullable properties patternProperties " +
    "additionalProperties unevaluatedProperties propertyNames required dependencies dependentRequired " +
    "dependentSchemas minProperties maxProperties items prefixItems additionalItems unevaluatedItems contains " +
    "minContains maxContains minItems maxItems uniqueItems minLength maxLength pattern format minimum maximum " +
    "exclusiveMinimum exclusiveMaximum multipleOf allOf anyOf oneOf not if then else contentEncoding contentMediaType"
  ).split(" "),
);

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Reads a shape. A text that is a JSON object is taken as that object, any other as a description.
 * Throws `SchemaFault` for an object that is empty, too large or deep, or a JSON Schema that cannot be used.
 */
export function readShape(shape: string | JsonObject): Shape {
  if (typeof shape !== "string") return shapeOfObject(shape);
  const parsed = parseObject(shape);
  if (parsed !== undefined) return shapeOfObject(parsed);
  if (shape.length > DESCRIPTION_CHARS) {
    throw new SchemaFault(`It is longer than ${DESCRIPTION_CHARS} characters.`);
  }
  const schema = { type: "object", minProperties: 1 };
  return { schema, check: checkOf(schema), description: shape };
}

function shapeOfObject(shape: JsonObject): Shape {
  if (Object.keys(shape).length === 0) throw new SchemaFault("It names no key.");
  if (isJsonSchema(shape)) return { schema: shape, check: checkOf(shape) };
  if (isDeeperThan(shape, SCHEMA_LIMITS.depth / 2)) {
    throw new SchemaFault(`It is deeper than ${SCHEMA_LIMITS.depth / 2} levels.`);
  }
  const schema = schemaOfExample(shape);
  return { schema, check: checkOf(schema) };
}

/** Whether an object describes an object or an array as JSON Schema does, and is not itself an example of data. */
function isJsonSchema(shape: JsonObject): boolean {
  if (typeof shape["$schema"] === "string") return true;
  if (!Object.keys(shape).every((key) => SCHEMA_KEYS.has(key) || key.startsWith("x-"))) return false;
  const types = new Set([shape["type"]].flat());
  const { properties } = shape;
  return (
    types.has("object") ||
    types.has("array") ||
    typeof shape["$ref"] === "string" ||
    ["allOf", "anyOf", "oneOf"].some((key) => Array.isArray(shape[key])) ||
    (isObject(properties) &&
      Object.values(properties).every((part) => isObject(part) || typeof part === "boolean"))
  );
}

function checkOf(schema: JsonSchema): Shape["check"] {
  const check = compileSchema(schema, "shape");
  return (data) => {
    const faults = check(data, stepsInThread(data));
    if (faults.length === 0) return undefined;
    return faults
      .map(({ path, message }) => `${path.length === 0 ? "the whole" : `/${path.join("/")}`} ${message}`)
      .join("; ");
  };
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    // Words, not JSON: a description.
    return undefined;
  }
}
