import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matches, passes } from "../../src/core/catalog/vectors.ts";

describe("matches", () => {
  it.each([
    [{ a: 1, b: 2 }, { a: 1 }, true],
    [{ a: { b: 1, c: 2 } }, { a: { c: 2 } }, true],
    [{ a: 1 }, { a: 1, b: undefined }, false],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: 1 }, { toString: 1 }, false],
    [[1, 2], [1, 2], true],
    [[1, 2, 3], [1, 2], false],
    [[{ a: 1, b: 2 }], [{ a: 1 }], true],
    [[1, 2], [2, 1], false],
    [{ 0: 1 }, [1], false],
    [[1], { 0: 1 }, false],
    [null, {}, false],
    [{}, null, false],
    [null, null, true],
    ["1", 1, false],
    [0, false, false],
    [Number.NaN, Number.NaN, true],
  ])("says of %j and %j: %s", (actual, expected, answer) => {
    expect(matches(actual, expected)).toBe(answer);
  });

  it("holds of everything and itself", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => matches(value, structuredClone(value))));
  });

  it("holds with further keys added to an object", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (expected, more) =>
        matches({ ...expected, "another key": more }, expected),
      ),
    );
  });
});

describe("passes", () => {
  const input = { text: "a" };

  it("holds an output against what is expected of it", () => {
    expect(passes({ input, expect: { a: 1 } }, { output: { a: 1, b: 2 } })).toBe(true);
    expect(passes({ input, expect: { a: 1 } }, { output: { a: 2 } })).toBe(false);
  });

  it("holds a failure against the code that is expected", () => {
    expect(passes({ input, expect_error: "host_refused" }, { error: "host_refused" })).toBe(true);
    expect(passes({ input, expect_error: "host_refused" }, { error: "internal_error" })).toBe(false);
  });

  it("takes no output for a failure and no failure for an output", () => {
    expect(passes({ input, expect: {} }, { error: "host_refused" })).toBe(false);
    expect(passes({ input, expect_error: "host_refused" }, { output: { error: "host_refused" } })).toBe(
      false,
    );
  });

  it("holds an output against the JSON Schema under $schema, and against all the rest", () => {
    const expected = { $schema: { properties: { a: { type: "integer" } }, required: ["a"] }, b: 2 };
    expect(passes({ input, expect: expected }, { output: { a: 1, b: 2 } })).toBe(true);
    expect(passes({ input, expect: expected }, { output: { a: "1", b: 2 } })).toBe(false);
    expect(passes({ input, expect: expected }, { output: { a: 1, b: 3 } })).toBe(false);
  });

  it.each([{ type: "nothing" }, { $ref: "https://example.com/schema" }, "a text", null, 5])(
    "takes no output for valid against %j, which is no schema",
    ($schema) => {
      expect(passes({ input, expect: { $schema } }, { output: {} })).toBe(false);
    },
  );
});
