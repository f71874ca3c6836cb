import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matches } from "../../src/core/catalog/vectors.ts";

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
