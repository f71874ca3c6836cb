/** The keywords of JSON Schema 2020-12 that the validator knows, by what stands under them. */

/** One schema, for a part of the value or for the value itself. */
export const ONE = [
  "additionalProperties",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
] as const;
/** A list of schemas, of at least one. */
export const LIST = ["allOf", "anyOf", "oneOf", "prefixItems"] as const;
/** A schema for each of some names. */
export const MAP = ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"] as const;

export const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"] as const;
export type TypeName = (typeof TYPES)[number];

export type SchemaObject = Readonly<Record<string, unknown>>;
export type Schema = boolean | SchemaObject;

export const isObject = (value: unknown): value is SchemaObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";
const isFlag = (value: unknown): boolean => typeof value === "boolean";
const isCount = (value: unknown): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= 0;
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isType = (value: unknown): boolean => TYPES.includes(value as TypeName);

/** What a keyword that holds no schema must be. */
export const VALUES: Readonly<Record<string, readonly [(value: unknown) => boolean, string]>> = {
  $ref: [isText, "a text"],
  dependentRequired: [
    (value) => isObject(value) && Object.values(value).every(isTextList),
    "an object of lists of texts",
  ],
  enum: [Array.isArray, "a list"],
  exclusiveMaximum: [isNumber, "a number"],
  exclusiveMinimum: [isNumber, "a number"],
  format: [isText, "a text"],
  maxContains: [isCount, "a whole number from 0"],
  maximum: [isNumber, "a number"],
  maxItems: [isCount, "a whole number from 0"],
  maxLength: [isCount, "a whole number from 0"],
  maxProperties: [isCount, "a whole number from 0"],
  minContains: [isCount, "a whole number from 0"],
  minimum: [isNumber, "a number"],
  minItems: [isCount, "a whole number from 0"],
  minLength: [isCount, "a whole number from 0"],
  minProperties: [isCount, "a whole number from 0"],
  multipleOf: [(value) => typeof value === "number" && value > 0, "a number above 0"],
  pattern: [isText, "a text"],
  required: [isTextList, "a list of texts"],
  type: [
    (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
    `one or several of ${TYPES.join(", ")}`,
  ],
  uniqueItems: [isFlag, "true or false"],
};
