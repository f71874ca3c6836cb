import canonicalize from "canonicalize";
import fc from "fast-check";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { canonicalJson, sha256Hex } from "../../src/core/canonical.ts";

/** The same data with its keys in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  );
}

/** What is written, or undefined where it throws. */
const written = (write: () => string | undefined): string | undefined => {
  try {
    return write();
  } catch {
    return undefined;
  }
};

describe("canonicalJson", () => {
  it("writes the example of RFC 8785, 3.2.3, as the RFC does", () => {
    const value = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
        "string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    );
    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it("sorts keys by UTF-16 code units, as the RFC asks", () => {
    expect(canonicalJson({ "\u{1f600}": 1, "\ufb33": 2, "1": 3, "\r": 4, ö: 5 })).toBe(
      '{"\\r":4,"1":3,"ö":5,"\u{1f600}":1,"\ufb33":2}',
    );
  });

  it("is the same for the same data whatever the order of its keys, and reads back as that data", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it("writes what the package canonicalize writes, and throws where it throws, for every value", () => {
    const key = fc.oneof(
      fc.constantFrom("__proto__", "toJSON", "1", "10", "9", "-1", ""),
      fc.string({ unit: "binary" }),
    );
    const anything = fc.anything({ key, withBoxedValues: true, withDate: true, withNullPrototype: true });
    fc.assert(
      fc.property(
        fc.oneof(anything, fc.dictionary(key, fc.oneof(fc.string({ unit: "binary" }), anything))),
        (value) => {
          expect(written(() => canonicalJson(value))).toBe(written(() => canonicalize(value)));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("writes deep values, and throws for circles", () => {
    let deep: unknown = { b: 1, a: 2 };
    for (let depth = 0; depth < 1_000; depth++) deep = [deep];
    expect(canonicalJson(deep)).toBe(`${"[".repeat(1_000)}{"a":2,"b":1}${"]".repeat(1_000)}`);
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => canonicalJson(circle)).toThrow();
  });

  it.each([undefined, Number.NaN, Infinity])("throws for %s, which has no JSON form", (value) => {
    expect(() => canonicalJson(value)).toThrow();
  });
});

it("sha256Hex is the SHA-256 of the UTF-8 bytes in lower-case hex", () => {
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(sha256Hex("€")).toBe(createHash("sha256").update(Buffer.from("€")).digest("hex"));
});
