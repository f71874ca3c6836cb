import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readClaim } from "../../../src/features/refutation-pass/arithmetic/claim.ts";
import { readExpression } from "../../../src/features/refutation-pass/arithmetic/expression.ts";
import { functionsIn } from "../../../src/features/refutation-pass/arithmetic/functions.ts";
import { isPerfect, isPrime } from "../../../src/features/refutation-pass/arithmetic/number-theory.ts";
import { probeArithmetic } from "../../../src/features/refutation-pass/offline-arithmetic.ts";

const calculate = (text: string, values: Record<string, number> = {}): number | undefined =>
  readExpression(text)?.value(new Map(Object.entries(values)));

const byDivision = (n: number): boolean =>
  n > 1 &&
  Array.from({ length: Math.floor(Math.sqrt(n)) }, (_, i) => i + 1).every((d) => d === 1 || n % d !== 0);

describe("an expression", () => {
  it.each([
    ["2 + 3 * 4", 14],
    ["(2 + 3) * 4", 20],
    ["2 ^ 3 ^ 2", 512],
    ["2 ** 10", 1024],
    ["-2 ^ 2", -4],
    ["10 - 4 - 3", 3],
    ["7 % 4", 3],
    ["5!", 120],
    ["|3 - 5|", 2],
    ["sqrt(49)", 7],
    ["√49", 7],
    ["gcd(12, 18) + max(1, 2)", 8],
    ["Math.abs(-3)", 3],
    ["3 squared plus 1", 10],
    ["6 × 7 − 2", 40],
    ["1e3", 1000],
  ])("%s is %d", (text, value) => {
    expect(calculate(text)).toBe(value);
  });

  it("knows products without a sign, and variables", () => {
    expect(calculate("2n(n+1)", { n: 3 })).toBe(24);
  });

  it.each([
    "",
    "2 +",
    "(2",
    "two apples",
    "process.exit(1)",
    "n; m",
    "constructor",
    "__proto__",
    "a[0]",
    "x => x",
    `${"(".repeat(200)}1${")".repeat(200)}`,
    "1 + ".repeat(200) + "1",
  ])("%s is none", (text) => {
    expect(readExpression(text)).toBeUndefined();
  });

  it("has no value where a double holds none exactly", () => {
    expect(calculate("2 ^ 60")).toBeNaN();
    expect(calculate("30!")).toBeNaN();
    expect(calculate("1 / 0")).toBeNaN();
  });

  it("is never read from anything, nor calculated, with an error", () => {
    const piece = fc.constantFrom(
      "1",
      "n",
      "(",
      ")",
      "+",
      "-",
      "^",
      "!",
      "|",
      ",",
      "sqrt",
      "gcd(",
      " ",
      "2.5",
      "%",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        expect([undefined, "number"]).toContain(
          ((value) => (value === undefined ? undefined : typeof value))(calculate(pieces.join(""), { n: 2 })),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it("adds, takes away and multiplies whole numbers as they are", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: -1e6, max: 1e6 }), (a, b) => {
        expect(calculate("a * b - (a + b)", { a, b })).toBe(a * b - (a + b));
      }),
    );
  });
});

describe("numbers", () => {
  it("are prime exactly where no smaller one divides them", () => {
    for (let n = -5; n < 5_000; n++) expect(isPrime(n), String(n)).toBe(byDivision(n));
  });

  it.each([
    [561, false],
    [3_215_031_751, false],
    [2_147_483_647, true],
    [9_007_199_254_740_881, true],
    [2.5, false],
  ])("%d: prime is %s", (n, expected) => {
    expect(isPrime(n)).toBe(expected);
  });

  it("are perfect where they are known to be", () => {
    expect(Array.from({ length: 9_000 }, (_, n) => n).filter(isPerfect)).toEqual([6, 28, 496, 8128]);
  });
});

describe("functions of some code", () => {
  it.each([
    "const f = (x, y) => x * y + 1;",
    "const f = (x: number, y: number): number => x * y + 1",
    "function f(x, y) {\n  return x * y + 1;\n}",
    "def f(x, y):\n    return x * y + 1\n",
    "def f(x: int, y: int) -> int:\n    return x * y + 1",
  ])("are read as arithmetic from %j", (code) => {
    expect(functionsIn(code).get("f")?.call([2, 3])).toBe(7);
  });

  it.each(["const f = (x) => g(x);", "const f = (x) => x + y;", "const f = () => { doIt(); };", "f(x) = 2"])(
    "are not read from %j",
    (code) => {
      expect([...functionsIn(code).keys()]).toEqual([]);
    },
  );
});

describe("a claim that is false", () => {
  it.each([
    ["For all n, n^2 + n + 41 is prime", "n = 40"],
    ["for all x, x*2 > x", "x = 0"],
    ["x^2 >= x for all real x", "x = 0.5"],
    ["The sum of two odd numbers is odd", "a = 1, b = 1"],
    ["The product of two negative numbers is negative", "a = -1, b = -1"],
    ["Every prime is odd", "n = 2"],
    ["No even number is prime", "n = 2"],
    ["2 + 2 = 5", "2 + 2 = 4"],
    ["91 is prime", "91 = 7 * 13"],
    ["2^p - 1 is prime for every prime p", "p = 11"],
    ["2^(2^n) + 1 is prime for all natural n", "n = 5"],
    ["n! > 2^n for all n >= 3", "n = 3"],
    ["(a+b)^2 = a^2 + b^2", "a = 1, b = 1"],
    ["If n is prime then n is odd", "n = 2"],
    ["there is no n such that n^2 = 49", "n = 7"],
    ["every multiple of 6 is a multiple of 12", "n = 6"],
    ["n is divisible by 4 whenever n is even", "n = 2"],
    ["n < 1000000 for all n", "n = 1000000"],
    ["sqrt(x^2) = x", "x = -1"],
    ["All even numbers are divisible by 4", "n = 2: 2 leaves 2 when divided by 4"],
    ["For every integer n, n*n is positive", "n = 0"],
    ["x * 2 is an integer for all x", "x = 0.25"],
  ])("is refuted: %s", (claim, counterexample) => {
    expect(probeArithmetic(claim, "")?.counterexample).toContain(counterexample);
  });
});

describe("a claim about a function of some code", () => {
  it.each([
    ["double(x) > x for all x", "const double = (x) => x * 2;", "x = 0: double(x) = 0"],
    ["add(2, 2) returns 4", "function add(a, b) { return a - b; }", "add(2, 2) = 0"],
    [
      "add always returns a + b",
      "def add(a, b):\n    return a - b",
      "a = 0, b = 1: add(a, b) = -1, a + b = 1",
    ],
    ["area always returns more than 0", "const area = (width, height) => width * height;", "x = 0, y = 0"],
  ])("is refuted by calling it: %s", (claim, code, counterexample) => {
    expect(probeArithmetic(claim, code)?.counterexample).toContain(counterexample);
  });

  it.each([
    ["add always returns a + b", "const add = (a, b) => a + b;"],
    ["double always returns an even number", "const double = (x) => x * 2;"],
    ["square never returns a negative number", "def square(x):\n    return x * x"],
    ["f(3) is 9", "const f = (n) => n * n;"],
  ])("is not where it is true: %s", (claim, code) => {
    expect(probeArithmetic(claim, code)).toMatchObject({ confidence: expect.any(Number) });
    expect(probeArithmetic(claim, code)?.counterexample).toBeUndefined();
  });
});

describe("a claim that is true", () => {
  it.each([
    "The sum of two odd numbers is even",
    "All primes greater than 2 are odd",
    "Every even number greater than 2 is the sum of two primes",
    "for every positive integer n, 6 divides n^3 - n",
    "for all integers a, b, c, (a+b)*c = a*c + b*c",
    "n! > 2^n for all n >= 4",
    "If a and b are even then a*b is divisible by 4",
    "abs(a + b) <= abs(a) + abs(b)",
    "for all n from 0 to 39, n^2+n+41 is prime",
    "The square of an odd number is odd",
    "There exists an integer n such that n^2 = n + 6",
    "x squared is at least 0",
    "0 <= n % 10 < 10 for all integers n",
    "2^10 = 1024",
    "x^2 + x is even",
  ])("is not: %s", (claim) => {
    const probe = probeArithmetic(claim, "");
    expect(probe?.counterexample).toBeUndefined();
    expect(probe?.confidence).toBeGreaterThanOrEqual(0.4);
  });

  it("is surest where there is nothing left to try, and never sure of all numbers", () => {
    expect(probeArithmetic("2^10 = 1024", "")?.confidence).toBe(0.99);
    expect(probeArithmetic("x squared is at least 0", "")?.confidence).toBe(0.7);
  });
});

describe("what leaves open whether numbers below zero count", () => {
  it("is refuted by one with less confidence, and says so", () => {
    expect(probeArithmetic("for all n, n^3 >= n", "")).toMatchObject({
      counterexample: expect.stringContaining("n = -2: n^3 = -8 (if numbers below zero count)"),
      confidence: 0.7,
    });
    expect(probeArithmetic("for all integers n, n^3 >= n", "")?.confidence).toBe(0.99);
  });
});

describe("a claim that is no arithmetic", () => {
  it.each([
    "All birds can fly",
    "The function never returns null",
    "a number is even",
    "For all users, login is safe",
    "x is bigger than a house",
    "if it rains, then streets are wet",
    "a + b + c + d + e > 0",
    "for all n",
    "A is B",
  ])("is not calculated: %s", (claim) => {
    expect(probeArithmetic(claim, "")).toBeUndefined();
  });

  it("is read without an error, whatever it says", () => {
    const word = fc.constantFrom(
      "for",
      "all",
      "n",
      "x",
      "is",
      "prime",
      ",",
      ">",
      "0",
      "if",
      "then",
      "no",
      "there",
      "exists",
      "such that",
      "and",
      "or",
      "the",
      "sum",
      "of",
      "two",
      "odd",
      "numbers",
      "+",
      "=",
      "between",
      "1",
      "divides",
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 14 }), (words) => {
        const claim = readClaim(words.join(" "), new Map());
        expect([undefined, "all", "some"]).toContain(claim?.kind);
      }),
      { numRuns: 2_000 },
    );
  });
});
