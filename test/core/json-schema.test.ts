import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileSchema, stepsInThread } from "../../src/core/json-schema/compile.ts";
import { OutOfSteps, SchemaFault } from "../../src/core/json-schema/faults.ts";
import { SCHEMA_LIMITS } from "../../src/core/json-schema/limits.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

const nested = (levels: number): JsonSchema =>
  levels === 1 ? { type: "object" } : { not: nested(levels - 1) };

const nestedValue = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

/** A chain of references, each of which is followed twice. */
function doublingReferences(links: number): JsonSchema {
  const definitions: Record<string, unknown> = { [`a${links}`]: { type: "string" } };
  for (let n = 0; n < links; n++) {
    const next = { $ref: `#/$defs/a${n + 1}` };
    definitions[`a${n}`] = { anyOf: [next, next] };
  }
  return { $ref: "#/$defs/a0", $defs: definitions };
}

/** Takes twice as many steps with each level of the value. */
const doublingRecursion: JsonSchema = { allOf: [{ items: { $ref: "#" } }, { items: { $ref: "#" } }] };

/** What is wrong with a value, as one line. */
const faultsOf = (schema: JsonSchema, value: unknown, use: "shape" | "contract" = "shape"): string =>
  compileSchema(schema, use)(value, SCHEMA_LIMITS.steps)
    .map(({ path, message }) => `${path.join(".")} ${message}`.trim())
    .join("; ");

const reasonOf = (schema: unknown, use: "shape" | "contract"): string | undefined => {
  try {
    compileSchema(schema, use);
    return undefined;
  } catch (error) {
    if (error instanceof SchemaFault) return error.message;
    throw error;
  }
};

describe("a schema from outside", () => {
  it.each([
    [{ type: "object", required: ["a"] }, { a: 1 }, ""],
    [{ type: "object", required: ["a"] }, {}, "a is required"],
    [{ properties: { a: { type: "number" } } }, { a: "1" }, "a must be a number"],
    [
      { properties: { a: { items: { type: ["number", "null"] } } } },
      { a: [1, null, "x"] },
      "a.2 must be a number or null",
    ],
    [{ prefixItems: [{ type: "string" }] }, [1], "0 must be a string"],
    [
      { additionalProperties: false, properties: { b: {} } },
      { a: 1, b: 2 },
      "must not have the field `a` (did you mean `b`?)",
    ],
    [{ unevaluatedProperties: false }, { a: 1 }, "must not have the field `a`"],
    [{ enum: [{ a: 1, b: 2 }] }, { b: 2, a: 1 }, ""],
    [{ anyOf: [{ type: "string" }, { deprecated: true }] }, 5, ""],
    [{ multipleOf: 0.01 }, 19.99, ""],
    [{ minLength: 2 }, "😀", "must have at least 2 characters"],
    [{ format: "date" }, "2026-02-30", "must be a date in ISO 8601, such as 2026-01-31"],
    [{ format: "email" }, "ada@example.com", ""],
    [{ format: "a format that nobody knows" }, "x", ""],
    [{ pattern: "^\\p{Letter}\\s.$" }, "é\u00a0x", ""],
    [{ pattern: "^\\u00e9$" }, "é", ""],
    [
      { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] },
      [1],
      "0 must be a string",
    ],
    [
      { $schema: "http://json-schema.org/draft-07/schema#", dependencies: { a: ["b"] } },
      { a: 1 },
      "b is required",
    ],
    [
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        definitions: { a: { type: "string" } },
        properties: { a: { $ref: "#/definitions/a", minLength: 5 } },
      },
      { a: "x" },
      "",
    ],
  ])("%j says of %j: %s", (schema, value, fault) => {
    expect(faultsOf(schema, value)).toBe(fault);
  });

  it("takes no name of JavaScript's own for a property", () => {
    for (const key of ["toString", "constructor", "__proto__", "hasOwnProperty"]) {
      expect(faultsOf({ required: [key] }, {})).toBe(`${key} is required`);
      expect(faultsOf({ unevaluatedProperties: false }, JSON.parse(`{"${key}": 1}`))).not.toBe("");
    }
  });

  it("says by a format what is meant, and asserts it only of a shape", () => {
    expect(faultsOf({ format: "date" }, "tomorrow", "contract")).toBe("");
    expect(faultsOf({ format: "date" }, "tomorrow", "shape")).not.toBe("");
  });

  it("tells no more than a few faults", () => {
    const items = Array.from({ length: 100 }, () => "x");
    expect(compileSchema({ items: { type: "number" } }, "contract")(items, 1_000)).toHaveLength(
      SCHEMA_LIMITS.faultsShown,
    );
  });

  it("agrees with another validator on random schemas and values", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const leaf = fc.oneof(
      fc.constantFrom<JsonSchema>(
        {},
        { type: "string" },
        { type: ["integer", "null"] },
        { minimum: 1 },
        { maxLength: 1 },
        { const: [1] },
        { enum: ["a", { a: 1 }, null] },
        { required: ["a"] },
        { minProperties: 1 },
        { maxItems: 1 },
        { pattern: "^a" },
        { uniqueItems: true },
      ),
      fc.boolean(),
    );
    const { schema } = fc.letrec<{ schema: JsonSchema | boolean }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 2, depthSize: "small" },
        leaf,
        fc.record(
          {
            properties: fc.dictionary(fc.constantFrom("a", "b"), tie("schema")),
            patternProperties: fc.dictionary(fc.constantFrom("^a", "b$"), tie("schema")),
            additionalProperties: tie("schema"),
            unevaluatedProperties: tie("schema"),
            propertyNames: tie("schema"),
            dependentSchemas: fc.dictionary(fc.constantFrom("a", "b"), tie("schema")),
            prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
            items: tie("schema"),
            unevaluatedItems: tie("schema"),
            allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
            anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
            oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
            not: tie("schema"),
            if: tie("schema"),
            // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
            then: tie("schema"),
            else: tie("schema"),
          },
          { requiredKeys: [] },
        ),
      ),
    }));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 2, depthSize: "small" },
        fc.constantFrom<unknown>(null, 0, 1, 1.5, "a", "ab", "b", true),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(schema, value, (given, instance) => {
        const valid = compileSchema(given, "shape")(instance, 1_000_000).length === 0;
        expect(valid).toBe(ajv.validate(given, instance));
        ajv.removeSchema();
      }),
      { numRuns: 300 },
    );
  });
});

describe("what no schema may be", () => {
  it.each([
    [{ type: "foo" }, "malformed"],
    [{ minLength: "2" }, "malformed"],
    [{ properties: { a: 5 } }, "malformed: #/properties/a must be a schema"],
    [{ items: [{}] }, "malformed: #/items must be a schema"],
    [{ allOf: [] }, "malformed"],
    [null, "malformed"],
    ["text", "malformed"],
    [{ $ref: "https://example.com/other.json" }, "only references within itself"],
    [{ $ref: "other.json" }, "only references within itself"],
    [{ $ref: "#/$defs/missing" }, "where it has no schema"],
    [{ $ref: "#/title", title: "x" }, "where it has no schema"],
    [{ $ref: "#/%" }, "no URI"],
    [{ $ref: "#" }, "without end"],
    [{ anyOf: [{ $ref: "#/$defs/a" }], $defs: { a: { not: { $ref: "#" } } } }, "without end"],
    [{ dependentSchemas: { a: { $ref: "#" } } }, "without end"],
    [{ $anchor: "a" }, "$anchor"],
    [{ properties: { a: { $id: "https://a.test/x" } } }, "$id"],
    [{ $dynamicRef: "#a" }, "$dynamicRef"],
    [{ $schema: "https://example.com/my-dialect" }, "dialect"],
    [{ $schema: 5 }, "dialect"],
    [{ pattern: "(" }, "pattern"],
    [{ pattern: "(?=a)" }, "pattern"],
    [{ pattern: "(?<!a)b" }, "pattern"],
    [{ pattern: "(a)\\1" }, "refers back"],
    [{ pattern: "(?<n>a)\\k<n>" }, "refers back"],
    [{ pattern: "a{1001}" }, "pattern"],
    [{ pattern: `(${"a?".repeat(400)}){1000}` }, "patterns are too large"],
    [
      { patternProperties: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`a${n}.{1,900}`, {}])) },
      "patterns are too large",
    ],
    [{ patternProperties: { "(a)\\1": true } }, "refers back"],
    [nested(SCHEMA_LIMITS.depth + 1), "deeper"],
    [{ description: "x".repeat(SCHEMA_LIMITS.bytes) }, "larger"],
    [{ enum: Array.from({ length: SCHEMA_LIMITS.nodes }, () => []) }, "larger"],
    [doublingReferences(8), "look at the same value"],
    [doublingReferences(30), "look at the same value"],
  ])("is refused with its reason: %j, %s", (schema, reason) => {
    for (const use of ["shape", "contract"] as const) expect(reasonOf(schema, use)).toContain(reason);
  });

  it.each([
    [{ $id: "https://a.test/x" }, "$id"],
    [{ uniqueItems: true }, "maxItems"],
    [{ items: { uniqueItems: true, maxItems: 1_001 } }, "maxItems"],
    [JSON.parse('{"properties": {"__proto__": {}}}'), "__proto__"],
    [{ properties: { constructor: {} } }, "constructor"],
    [{ enum: [{ prototype: 1 }] }, "prototype"],
  ])("is refused in a contract, and taken for the shape of one call: %j", (schema, reason) => {
    expect(reasonOf(schema, "contract")).toContain(reason);
    expect(reasonOf(schema, "shape")).toBeUndefined();
  });

  it("keeps what stands just within the limits", () => {
    expect(reasonOf(nested(SCHEMA_LIMITS.depth), "contract")).toBeUndefined();
    expect(reasonOf(doublingReferences(5), "contract")).toBeUndefined();
    expect(reasonOf({ uniqueItems: true, maxItems: 1_000 }, "contract")).toBeUndefined();
    expect(reasonOf({ properties: { $ref: { type: "string" }, $id: {} } }, "contract")).toBeUndefined();
    expect(reasonOf({ properties: { a: { $ref: "#" } } }, "contract")).toBeUndefined();
  });
});

const { steps } = SCHEMA_LIMITS;

describe("a check", () => {
  it("ends when its steps do, where references multiply with the value", () => {
    const check = compileSchema(doublingRecursion, "contract");
    expect(check(nestedValue(5), steps)).toEqual([]);
    const deep = nestedValue(60);
    expect(() => check(deep, steps)).toThrow(OutOfSteps);
    expect(() => check(deep, stepsInThread(deep))).toThrow(OutOfSteps);
  });

  it("takes some 1.4 steps for each part of an ordinary value", () => {
    const schema = {
      type: "array",
      items: { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } } },
    };
    const rows = Array.from({ length: 1_000 }, (_, id) => ({ id, name: "x" }));
    const check = compileSchema(schema, "contract");
    expect(() => check(rows, steps)).toThrow(OutOfSteps);
    expect(check(rows, 2 * 3_001)).toEqual([]);
    expect(check(rows.slice(0, 200), steps)).toEqual([]);
  });

  it.each([
    ["long texts", { pattern: "^(a+)+$" }, "a".repeat(1_000_000)],
    ["many characters", { maxLength: 5 }, "a".repeat(1_000_000)],
    [
      "many patterns",
      { patternProperties: { "a.*b": {}, "b.*c": {} } },
      Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, n])),
    ],
    ["large constants", { items: { enum: [[1, [2]]] } }, Array.from({ length: 2_000 }, () => [1, [2]])],
    ["unique items", { uniqueItems: true, maxItems: 1_000_000 }, Array.from({ length: 3_000 }, (_, n) => n)],
  ])("counts %s", (_what, schema, value) => {
    expect(() => compileSchema(schema, "shape")(value, steps)).toThrow(OutOfSteps);
  });

  it("refuses a value that is nested too deep", () => {
    const schema = { items: { $ref: "#" } };
    expect(faultsOf(schema, nestedValue(SCHEMA_LIMITS.valueDepth))).toBe("");
    expect(faultsOf(schema, nestedValue(SCHEMA_LIMITS.valueDepth + 2))).toContain("nested deeper");
  });
});

/** What the event loop of an API process may be held for at once, in milliseconds of the processor's time. */
const HELD_AT_MOST_MS = 20;
const TRIES = 5;

/** The least of some tries, by the processor's clock: what else the machine does is not in it. */
function heldMs(act: () => unknown): number {
  const times = Array.from({ length: TRIES }, () => {
    const before = process.threadCpuUsage();
    try {
      act();
    } catch (error) {
      if (!(error instanceof SchemaFault) && !(error instanceof OutOfSteps)) throw error;
    }
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

const times = <T>(count: number, make: (nth: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

/** Levels of `allOf` below one another, each of so many schemas. */
const branches = (levels: number, width: number): JsonSchema =>
  levels === 0 ? { type: "array" } : { allOf: times(width, () => branches(levels - 1, width)) };

const unevaluated = (levels: number): JsonSchema =>
  levels === 0
    ? { type: "object" }
    : { unevaluatedProperties: unevaluated(levels - 1), anyOf: [{ patternProperties: { "^a": {} } }, {}] };

const definitions = times(60, (n) => [`a${n}`, { items: { $ref: `#/$defs/a${(n + 1) % 60}` } }] as const);

const BOMBS: readonly (readonly [what: string, schema: unknown, value: unknown])[] = [
  ["deep allOf", branches(5, 3), times(2_000, () => [])],
  ["wide allOf", { items: { allOf: times(190, () => ({ type: ["integer", "string"] })) } }, times(5_000, (n) => n)],
  ["branches that double with each level", doublingRecursion, nestedValue(60)],
  ["references in a circle", { $ref: "#/$defs/a0", $defs: Object.fromEntries(definitions) }, nestedValue(60)],
  ["references that double", doublingReferences(5), times(1_000, () => "x")],
  ["an exponential pattern", { pattern: "^(?:(?:a+)+)+$" }, `${"a".repeat(60_000)}b`],
  ["patterns of many states", { pattern: `^${"(a|b|ab)*".repeat(40)}$` }, "ab".repeat(30_000)],
  ["a repeated pattern", { pattern: "^(a?){900}a{900}$" }, "a".repeat(5_000)],
  ["many patterns", { patternProperties: Object.fromEntries(times(150, (n) => [`^(k|x)*${n}.{1,200}$`, {}])) }, Object.fromEntries(times(500, (n) => [`k${n}`, n]))],
  ["a huge enum", { items: { enum: times(6_000, (n) => `value ${n}`) } }, times(2_000, (n) => `no value ${n}`)],
  ["an enum of objects", { items: { enum: times(900, (n) => ({ n: [n] })) } }, times(2_000, (n) => ({ n: [-n] }))],
  ["nested unevaluatedProperties", unevaluated(9), Object.fromEntries(times(1_000, (n) => [`b${n}`, { a: { b: {} } }]))],
  ["unevaluatedItems", { unevaluatedItems: { unevaluatedItems: false }, contains: { const: 1 } }, times(5_000, () => [1, 2])],
  ["unique items", { uniqueItems: true, maxItems: 1_000 }, times(1_000, (n) => ({ n, text: "x".repeat(50) }))],
  ["all properties that fit", { properties: Object.fromEntries(times(1_900, (n) => [`p${n}`, {}])) }, Object.fromEntries(times(1_900, (n) => [`p${n}`, n]))],
  ["required names", { required: times(6_000, (n) => `name ${n}`) }, {}],
  ["dependent schemas", { dependentSchemas: Object.fromEntries(times(190, (n) => [`p${n}`, { required: ["x"] }])) }, Object.fromEntries(times(190, (n) => [`p${n}`, n]))],
]; // prettier-ignore

describe("a schema that is made to take long", () => {
  it.each(BOMBS)(`holds no event loop longer than ${HELD_AT_MOST_MS} ms: %s`, (_what, schema, value) => {
    // As a row brings it.
    const text = JSON.stringify(schema);
    const compile = (): ReturnType<typeof compileSchema> => compileSchema(JSON.parse(text), "contract");
    expect(heldMs(compile), "listed").toBeLessThan(HELD_AT_MOST_MS);
    if (reasonOf(schema, "contract") !== undefined) return;
    const check = compile();
    expect(
      heldMs(() => check(value, steps)),
      "used",
    ).toBeLessThan(HELD_AT_MOST_MS);
  });
});
