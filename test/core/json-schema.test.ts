import { describe, expect, it } from "vitest";
import { type JsonSchema, SCHEMA_LIMITS, SchemaFault, compileSchema } from "../../src/core/json-schema.ts";

/** Takes 2^30 steps to find that a number is no text. */
function doublingReferences(): JsonSchema {
  const definitions: Record<string, unknown> = { a30: { type: "string" } };
  for (let n = 0; n < 30; n++) {
    const next = { $ref: `#/$defs/a${n + 1}` };
    definitions[`a${n}`] = { anyOf: [next, next] };
  }
  return { $ref: "#/$defs/a0", $defs: definitions };
}

const nested = (levels: number): JsonSchema =>
  levels === 1 ? { type: "object" } : { not: nested(levels - 1) };

describe("a schema from outside", () => {
  it.each([
    [{ type: "object", required: ["a"] }, { a: 1 }, undefined],
    [{ type: "object", required: ["a"] }, {}, "the whole must have required property 'a'"],
    [{ properties: { a: { type: "number" } } }, { a: "1" }, "/a must be number"],
    [{ prefixItems: [{ type: "string" }] }, [1], "/0 must be string"],
    [{ unevaluatedProperties: false }, { a: 1 }, "the whole must NOT have unevaluated properties"],
    [{ format: "date" }, "2026-02-30", 'the whole must match format "date"'],
    [{ format: "email" }, "ada@example.com", undefined],
    [{ format: "a format that nobody knows" }, "x", undefined],
    [
      { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] },
      [1],
      "/0 must be string",
    ],
  ])("%j says of %j: %s", (schema, value, fault) => {
    expect(compileSchema(schema)(value)).toBe(fault);
  });

  it.each([
    [{ type: "foo" }, "malformed"],
    [{ pattern: "(" }, "does not compile"],
    [{ $ref: "https://example.com/other.json" }, "does not compile"],
    [{ $ref: "#/$defs/missing" }, "does not compile"],
    [{ $ref: "#" }, "does not compile"],
    [{ $schema: "https://example.com/my-dialect" }, "dialect"],
    [{ $schema: 5 }, "dialect"],
    [{ $async: true }, "asynchronous"],
    [nested(SCHEMA_LIMITS.depth + 1), "deeper"],
    [{ description: "x".repeat(SCHEMA_LIMITS.chars) }, "larger"],
  ])("is refused with its reason: %j, %s", (schema, reason) => {
    expect(() => compileSchema(schema)).toThrow(SchemaFault);
    expect(() => compileSchema(schema)).toThrow(reason);
  });

  it.each([
    ["a pattern that backtracks", { pattern: "^(a+)+$" }, `${"a".repeat(60)}b`],
    ["references that multiply", doublingReferences(), 5],
  ])("cannot hold up the process by %s", (_name, schema, value) => {
    const check = compileSchema(schema);
    // Without the limit either takes longer than this test may.
    expect(() => check(value)).toThrow(`longer than ${SCHEMA_LIMITS.checkMs} ms`);
  });

  it("cannot exhaust the stack", () => {
    expect(() => compileSchema({ $dynamicRef: "#nowhere" })(1)).toThrow(SchemaFault);
  });

  it("is forgotten: two may have the same $id", () => {
    expect(compileSchema({ $id: "https://a.test/x", type: "string" })(1)).toBeDefined();
    expect(compileSchema({ $id: "https://a.test/x", type: "number" })(1)).toBeUndefined();
  });
});
