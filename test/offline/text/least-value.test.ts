import { expect, it } from "vitest";
import { leastValue } from "../../../src/offline/text/least-value.ts";
import type { SchemaNode } from "../../../src/offline/text/schema-node.ts";

const sizeOf = (schema: SchemaNode): number => JSON.stringify(leastValue(schema, schema)).length;

it("makes no longer text than its limit, whatever a schema asks for", () => {
  expect(sizeOf({ type: "string", minLength: 1_000_000_000 })).toBeLessThan(2_000);
});

it("makes few values of lists of lists, whose numbers multiply", () => {
  let schema: SchemaNode = { type: "integer" };
  for (let depth = 0; depth < 10; depth++) schema = { type: "array", items: schema, minItems: 1_000 };
  expect(sizeOf(schema)).toBeLessThan(100_000);
});

it("still matches a schema that asks for no more than its limits", () => {
  const schema: SchemaNode = {
    type: "object",
    required: ["name", "tags"],
    properties: {
      name: { type: "string", minLength: 10, maxLength: 12 },
      tags: { type: "array", minItems: 3, items: { type: "integer", minimum: 5 } },
    },
  };
  expect(leastValue(schema, schema)).toEqual({ name: "unknown...", tags: [5, 5, 5] });
});
