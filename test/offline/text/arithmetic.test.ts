import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluate, findArithmetic } from "../../../src/offline/text/arithmetic.ts";
import { cpuMs } from "../../support/cpu-time.ts";

const found = (text: string): string[] =>
  findArithmetic(text).map(({ expression, result }) => `${expression} = ${result}`);

describe("findArithmetic", () => {
  it.each([
    ["What is 12 * (3 + 4)?", "12 * (3 + 4) = 84"],
    ["0.1 + 0.2, please", "0.1 + 0.2 = 0.3"],
    ["Take 15% of $80 off.", "15% of $80 = 12"],
    ["The bill is 80 + 15%.", "80 + 15% = 92"],
    ["seven? no: 12 plus 30 divided by 4", "12 plus 30 divided by 4 = 19.5"],
    ["1,200 − 200 / 3 each", "1,200 − 200 / 3 = 1133.3333333333"],
    ["2^10 bytes", "2^10 = 1024"],
    ["-2 ** 2 it is", "-2 ** 2 = -4"],
    ["7/2=", "7/2 = 3.5"],
    ["What is 7-2?", "7-2 = 5"],
    ["100000000000000000001 * 3", "100000000000000000001 * 3 = 300000000000000000003"],
  ])("works out %j", (text, expected) => {
    expect(found(text)).toEqual([expected]);
  });

  it.each([
    "Call 555-123-4567 on 2026-11-21 or 11/21/2026.",
    "Open 24/7, from 9-5, versions 1.2.3 and v4.5.",
    "A 4x4 with 3 of 5 doors, and/or a plus sign + nothing.",
    "1 / 0 and 2 / (3 - 3)",
    "(5) and -7 and 12%",
    "9^9^9^9",
  ])("finds none in %j", (text) => {
    expect(found(text)).toEqual([]);
  });

  it("finds several, and says which are rounded", () => {
    expect(findArithmetic("First 1 / 3, then 1 / 4.")).toEqual([
      { expression: "1 / 3", result: "0.3333333333", exact: false },
      { expression: "1 / 4", result: "0.25", exact: true },
    ]);
  });

  it("never throws and ends soon, whatever the text", async () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[-+*/^()%. 0-9xof]{0,60}$/), (text) => {
        expect(findArithmetic(text)).toBeInstanceOf(Array);
      }),
    );
    const hostile = ["(".repeat(50_000), "1 + ".repeat(20_000), "9".repeat(50_000)];
    expect(await cpuMs(() => hostile.map(findArithmetic))).toBeLessThan(500);
  });
});

/** Expressions with the value that JavaScript's whole numbers give them exactly. */
const expressions = fc.letrec<{ expr: { text: string; value: number } }>((tie) => ({
  expr: fc.oneof(
    { depthSize: "small" },
    fc.integer({ min: 0, max: 99 }).map((value) => ({ text: String(value), value })),
    fc.tuple(tie("expr"), fc.constantFrom("+", "-", "*"), tie("expr")).map(([left, sign, right]) => ({
      text: `(${left.text} ${sign} ${right.text})`,
      value:
        sign === "+"
          ? left.value + right.value
          : sign === "-"
            ? left.value - right.value
            : left.value * right.value,
    })),
  ),
})).expr;

describe("evaluate", () => {
  it("agrees with JavaScript on whole numbers", () => {
    fc.assert(
      fc.property(expressions, ({ text, value }) => {
        fc.pre(Number.isSafeInteger(value) && /[-+*]/.test(text) && text.length < 150);
        expect(evaluate(text)).toBe(String(value === 0 ? 0 : value));
      }),
    );
  });

  it.each(["", "2 +", "2 apples + 3", "1 + 1; process.exit()", "(1 + 2"])("has no value for %j", (text) => {
    expect(evaluate(text)).toBeUndefined();
  });
});
