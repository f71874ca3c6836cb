import { describe, expect, it } from "vitest";
import offline from "../../../src/features/refutation-pass/offline.ts";
import { passes } from "../../../src/core/catalog/vectors.ts";
import { testedCapability } from "../../support/capability.ts";
import { offlineModels, scriptedModels } from "../../support/model-answers.ts";

const { capability, vectors, parse, run } = await testedCapability("refutation-pass");
const models = offlineModels();

const answer = (over: Record<string, unknown> = {}) => ({
  refuted: true,
  counterexample: "n = 40",
  attempts: ["Tried 40."],
  confidence: 0.9,
  ...over,
});

const verdict = async (over: Record<string, unknown>, claim = "All birds can fly", code?: string) => {
  const { model: _model, ...rest } = await run({ claim, code }, { models: scriptedModels(answer(over)) });
  return rest;
};

const refute = (claim: string, code = "") =>
  offline({ data: { claim, code }, schema: {}, tier: "small" }) as {
    refuted: boolean;
    counterexample: string | null;
    attempts: string[];
    confidence: number;
  };

describe("the contract", () => {
  it.each(vectors)("holds for the golden vector: $name", async (vector) => {
    expect(passes(vector, { output: await run(vector.input, { models }) })).toBe(true);
  });

  it("costs 8 MESH and needs a small model of the brain pool", () => {
    expect(capability).toMatchObject({ pool: "brain", model: "small" });
    expect(capability.offers).toEqual([{ surface: "marketplace", price: { currency: "MESH", amount: 8 } }]);
  });

  it("reads the claim from claim, then assertion, then invariant", () => {
    expect(parse({ claim: " ", assertion: "a", invariant: "i" })).toMatchObject({ claim: "a" });
    expect(parse({ claim: " c ", assertion: "a" })).toMatchObject({ claim: "c" });
    expect(parse({ invariant: "i" })).toMatchObject({ claim: "i" });
  });

  it.each([{}, { claim: "" }, { claim: " " }, { claim: 5 }, { claim: "x", code: 5 }])(
    "refuses %j",
    (body) => {
      expect(() => parse(body)).toThrow(expect.objectContaining({ code: "invalid_input" }));
    },
  );

  it.each([
    ["a claim of 8,001 characters", { claim: "x".repeat(8_001) }],
    ["code of 100,001 characters", { claim: "x", code: "y".repeat(100_001) }],
  ])("refuses %s", (_name, body) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });
});

describe("a claim is refuted only with a counterexample", () => {
  it("which the model gives", async () => {
    expect(await verdict({ counterexample: " Penguins " })).toEqual({
      claim: "All birds can fly",
      refuted: true,
      counterexample: "Penguins",
      attempts: ["Tried 40."],
      confidence: 0.9,
    });
  });

  it.each([null, undefined, "", "  ", "none", "N/A", "null", "No counterexample found."])(
    "and %j is none",
    async (counterexample) => {
      const output = await verdict({ counterexample });
      expect(output).toMatchObject({ refuted: false, counterexample: null });
      expect(output.confidence).toBeCloseTo(0.1);
      expect(output.attempts.at(-1)).toContain("without a counterexample");
    },
  );

  it("and has none where it is not refuted", async () => {
    expect(await verdict({ refuted: false })).toMatchObject({
      refuted: false,
      counterexample: null,
      confidence: 0.9,
    });
  });

  it.each([
    ["For all n, n^2 + n + 41 is prime", "n = 39", "the claim holds there"],
    ["If n is even then n^2 is even", "n = 3", "which the claim leaves out"],
    ["for all n from 0 to 39, n^2 + n + 41 is prime", "n = 40", "beyond its bounds"],
    ["The product of two positive numbers is positive", "a = -1, b = 2", "not of its numbers"],
  ])("that stands up to calculation: of “%s” not %s, %s", async (claim, counterexample) => {
    const output = await verdict({ counterexample }, claim);
    expect(output).toMatchObject({ refuted: false, counterexample: null });
    expect(output.attempts.at(-1)).toContain("Calculated the counterexample");
  });

  it.each([
    ["For all n, n^2 + n + 41 is prime", "n = 40 gives 1681 = 41 * 41", undefined],
    ["double(x) > x for all x", "x = -1", "const double = (x) => x * 2;"],
    ["All birds can fly", "n = 1 penguin", undefined],
    ["For all n, n^2 + n + 41 is prime", "forty", undefined],
  ])("and of “%s”, %s is one", async (claim, counterexample, code) => {
    expect(await verdict({ counterexample }, claim, code)).toMatchObject({ refuted: true, counterexample });
  });

  it.each([
    { confidence: 1.1 },
    { confidence: "high" },
    { attempts: [] },
    { attempts: [" "] },
    { refuted: "yes" },
  ])("and a model cannot answer with %j", async (over) => {
    await expect(verdict(over)).rejects.toMatchObject({ code: "model_output_invalid" });
  });
});

describe("the offline refutation", () => {
  it.each([
    ["All of 2, 4, 7 are even", "7 is listed"],
    ["Every value in [3, 5, 9] is prime", "9 is listed"],
    ["The numbers 1, 4, 9, 15 are perfect squares", "15 is listed"],
    ["All words in [apple, avocado, banana] start with a", "banana is listed"],
  ])("goes through listed examples: %s", (claim, counterexample) => {
    expect(refute(claim)).toMatchObject({
      refuted: true,
      counterexample: expect.stringContaining(counterexample),
    });
  });

  it("does not refute a claim whose listed examples all hold", () => {
    expect(refute("All of 2, 4, 8 are even")).toMatchObject({ refuted: false, confidence: 0.6 });
  });

  it.each([
    ["parse never throws", "const parse = (s) => JSON.parse(s);"],
    ["the id is deterministic", "id = uuid4()"],
    ["sorted does not mutate its input and is pure", "def sorted(xs):\n    xs.sort()\n    return xs"],
    ["count is always positive", "int count() {\n  return -1;\n}"],
    ["isOpen always returns true", "function isOpen(door) { if (door.locked) return false; return true; }"],
    ["it makes no network requests", "await fetch(url)"],
    ["the query is safe from injection", "db.query(`SELECT * FROM t WHERE id = ${id}`)"],
    ["first works for any list", "const first = (xs) => xs[0].name;"],
  ])("reads code against the claim: %s", (claim, code) => {
    expect(refute(claim, code)).toMatchObject({
      refuted: true,
      counterexample: expect.stringContaining("`"),
    });
  });

  it("does not take comments for code", () => {
    expect(refute("find never returns null", "// return null;\nreturn 1;")).toMatchObject({ refuted: false });
  });

  it("says honestly what it could not try, and is unsure", () => {
    const { refuted, attempts, confidence } = refute("Nobody has ever been to Mars");
    expect([refuted, confidence]).toEqual([false, 0.1]);
    expect(attempts.join(" ")).toMatch(/no formula.*none that can be checked.*none was given.*Not tried/s);
  });

  it("is another one for another claim", () => {
    const claims = [
      "for all n, n < 7",
      "for all n, n < 8",
      "2 + 2 = 5",
      "2 + 2 = 4",
      "All birds can fly",
      "All fish can swim",
    ];
    expect(new Set(claims.map((claim) => JSON.stringify(refute(claim)))).size).toBe(claims.length);
  });
});
