import { describe, expect, it } from "vitest";
import { z } from "zod";
import { unknownFields } from "../../src/core/catalog/remarks.ts";
import { LIMITS } from "../../src/core/limits.ts";
import { knownFields } from "../../src/core/json-schema/known-fields.ts";
import type { SchemaObject } from "../../src/core/json-schema/vocabulary.ts";

const remarks = (schema: SchemaObject, value: unknown): readonly string[] =>
  unknownFields(value, knownFields(schema));

const A = { properties: { alpha: {} } };
const B = { properties: { beta: {} } };
const UNKNOWN = ["unknown field `alhpa`; did you mean `alpha`?"];

describe("a field that a schema does not know", () => {
  it.each<[string, SchemaObject]>([
    ["beside properties", A],
    ["beside those of all branches", { allOf: [A, B] }],
    ["beside those of any branch", { anyOf: [A, B, { type: "null" }] }],
    ["behind a reference", { $defs: { a: A }, $ref: "#/$defs/a" }],
    [
      "beside what a condition asks for",
      JSON.parse('{"if":{"properties":{"alpha":{}}},"then":{"properties":{"beta":{}}}}'),
    ],
    ["beside required names", { ...B, required: ["alpha"] }],
    ["beside dependent ones", { ...B, dependentRequired: { beta: ["alpha"] } }],
    ["where the schema takes none besides", { ...A, additionalProperties: false }],
  ])("is named: %s", (_where, schema) => {
    expect(remarks(schema, { alhpa: 1 })).toEqual(UNKNOWN);
    expect(remarks(schema, { alpha: 1 })).toEqual([]);
  });

  it.each<[string, SchemaObject]>([
    ["where the schema names no field", { type: "object" }],
    ["where every other one is welcome", { ...A, additionalProperties: true }],
    ["where the others have a schema", { ...A, additionalProperties: { type: "number" } }],
    ["where a pattern may allow it", { ...A, patternProperties: { "^x-": {} } }],
    ["where a branch takes any object", { anyOf: [A, { type: "object" }] }],
    ["where names have rules of their own", { ...A, propertyNames: { maxLength: 9 } }],
    ["where the schema is none", { properties: { alhpa: true } }],
  ])("is passed over: %s", (_where, schema) => {
    expect(remarks(schema, { alhpa: 1 })).toEqual([]);
  });

  it("is named with its place, in objects, lists and what recurs", () => {
    const tree = {
      properties: {
        name: {},
        children: { type: "array", items: { $ref: "#" } },
        size: z.toJSONSchema(z.object({ width: z.number() })),
      },
    };
    const value = { name: "a", size: { widht: 1 }, children: [{ name: "b", children: [{ nmae: "c" }] }] };
    expect(remarks(tree, value)).toEqual([
      "unknown field `size.widht`; did you mean `width`?",
      "unknown field `children.0.children.0.nmae`; did you mean `name`?",
    ]);
  });

  it("is looked for below fields that have no name", () => {
    expect(remarks({ additionalProperties: A }, { any: { alhpa: 1 } })).toEqual([
      "unknown field `any.alhpa`; did you mean `alpha`?",
    ]);
  });
});

it("names so many, with so many letters, and counts the rest", () => {
  const many = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, n) => [`${n}${"y".repeat(9_000 / (n + 1))}`, 1]),
  );
  const told = remarks(A, many);
  expect(told).toHaveLength(LIMITS.remarks + 1);
  expect(told.at(-1)).toBe(`${5_000 - LIMITS.remarks} more unknown fields`);
  for (const one of told) expect(one.length).toBeLessThan(LIMITS.remarkPathChars + 40);
});

it("looks at so much of a large value and no more", () => {
  const schema = { properties: { list: { items: A } } };
  const items = Array.from({ length: LIMITS.remarkedValues + 10 }, () => ({ alpha: 1 }));
  expect(remarks(schema, { list: [...items, { alhpa: 1 }] })).toEqual([]);
});
