import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mesh, showAmount, usd } from "../../src/core/money.ts";

const MAX_MICROS = 999_999_999_999_999;

describe("usd", () => {
  it("reads a decimal string into whole micro-dollars", () => {
    expect(usd("0.05")).toEqual({ currency: "USD", amount: 50_000 });
    expect(usd("0")).toEqual({ currency: "USD", amount: 0 });
    expect(usd("0.000001").amount).toBe(1);
    expect(usd("19.00").amount).toBe(19_000_000);
    expect(usd("999999999.999999").amount).toBe(MAX_MICROS);
  });

  it("is exact where floating point is not", () => {
    for (const [text, micros] of [
      ["0.29", 290_000],
      ["1.005", 1_005_000],
      ["123456789.123457", 123_456_789_123_457],
    ] as const) {
      expect(usd(text).amount).toBe(micros);
    }
  });

  it.each([
    "",
    " 1",
    "1 ",
    "-1",
    "+1",
    "1e3",
    ".5",
    "5.",
    "1,5",
    "0.0000001",
    "1234567890",
    "NaN",
    "0x10",
    "١",
    "1.2.3",
  ])("refuses %j", (text) => {
    expect(() => usd(text)).toThrow(RangeError);
  });

  it("reads back every amount that showAmount writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_MICROS }), (micros) => {
        expect(usd(String(showAmount(micros, "USD"))).amount).toBe(micros);
      }),
    );
  });
});

describe("showAmount", () => {
  it("leaves MESH as the integer that it is", () => {
    expect(showAmount(mesh(15).amount, "MESH")).toBe(15);
    expect(showAmount(-3, "MESH")).toBe(-3);
  });

  it.each([
    [0, "0.00"],
    [1, "0.000001"],
    [50_000, "0.05"],
    [1_000_000, "1.00"],
    [1_500_000, "1.50"],
    [1_234_560, "1.23456"],
    [-20_000, "-0.02"],
    [-1_000_001, "-1.000001"],
    [9_000_000_000_000_000, "9000000000.00"],
  ])("writes %d micro-dollars as %s", (micros, text) => {
    expect(showAmount(micros, "USD")).toBe(text);
  });

  it("always writes at least two decimals and no trailing zero after them", () => {
    fc.assert(
      fc.property(fc.integer({ min: -MAX_MICROS, max: MAX_MICROS }), (micros) => {
        expect(showAmount(micros, "USD")).toMatch(/^-?\d+\.\d{2}(\d{0,3}[1-9])?$/);
      }),
    );
  });
});
