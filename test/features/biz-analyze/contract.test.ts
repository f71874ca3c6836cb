import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passes } from "../../../src/core/catalog/vectors.ts";
import { testedCapability } from "../../support/capability.ts";
import { offlineModels, scriptedModels } from "../../support/model-answers.ts";

const { capability, vectors, parse, run, replay } = await testedCapability("biz-analyze");
const models = offlineModels();
const ANSWER = {
  recommendation: "Raise it.",
  reasoning: "It sells.",
  actions: ["Print tags."],
  confidence: 0.5,
};

describe("the contract", () => {
  it.each(vectors)("holds for the golden vector: $name", async (vector) => {
    expect(passes(vector, await replay(vector.input, { models }))).toBe(true);
  });

  it("is listed on both surfaces, at their prices", () => {
    expect(capability.offers).toEqual([
      { surface: "marketplace", price: { currency: "MESH", amount: 2 } },
      {
        surface: "tool-api",
        route: { method: "POST", path: "/v1/analyze" },
        price: { currency: "USD", amount: 2_000 },
      },
    ]);
  });

  it("gives the answer and the model that made it, and asks with what was given alone", async () => {
    const scripted = scriptedModels(ANSWER);
    const body = { context: " We sell tea. ", goal: "", constraints: [" no loans ", " "] };
    expect(await run(body, { models: scripted })).toEqual({ ...ANSWER, model: "scripted" });
    expect(JSON.parse(scripted.asked[0]?.messages[1]?.content ?? "")).toEqual({
      context: "We sell tea.",
      constraints: ["no loans"],
    });
  });

  it.each([
    [{}, "context"],
    [{ context: "" }, "context"],
    [{ context: " \n " }, "context"],
    [{ context: 5 }, "context"],
    [{ context: "x".repeat(8_001) }, "context"],
    [{ context: "x", goal: "x".repeat(8_001) }, "goal"],
    [{ context: "x", constraints: "none" }, "constraints"],
    [{ context: "x", constraints: [5] }, "constraints.0"],
    [{ context: "x", constraints: ["x".repeat(2_001)] }, "constraints.0"],
    [{ context: "x", constraints: Array.from({ length: 51 }, () => "x") }, "constraints"],
  ])("refuses a fault in %#, naming %s", (body, path) => {
    expect(() => parse(body)).toThrow(
      expect.objectContaining({
        code: "invalid_input",
        details: { issues: [expect.objectContaining({ path })] },
      }),
    );
  });

  it("takes 8,000 code points, also of characters that are two units long", () => {
    expect(parse({ context: "📈".repeat(8_000) })).toMatchObject({ context: "📈".repeat(8_000) });
    expect(() => parse({ context: "📈".repeat(8_001) })).toThrow("must have at most 8000 characters");
  });

  it.each([
    { confidence: 85 },
    { confidence: -0.1 },
    { actions: [] },
    { recommendation: " " },
    { reasoning: 5 },
  ])("asks again for an answer with %j, and gives up the second time", async (fault) => {
    const wrong = { ...ANSWER, ...fault };
    expect(await run({ context: "x" }, { models: scriptedModels(wrong, ANSWER) })).toMatchObject(ANSWER);
    const asking = run({ context: "x" }, { models: scriptedModels(wrong) });
    await expect(asking).rejects.toMatchObject({ code: "model_output_invalid" });
  });
});

const analyze = async (body: Record<string, unknown>) => await run(body, { models });

describe("the offline method", () => {
  it.each([
    ["The price is $20, the unit cost is $12 and fixed costs are $4,000.", "500 sales"],
    ["We sell cups for $3 each and each one costs us $4 to make.", "loses $1"],
    ["Revenue of $18,000 a month, costs of $17,200.", "$800 (4.4%)"],
    ["$90,000 in cash, burning $30,000 a month.", "3 periods"],
    ["CAC is $300 and LTV is $612.", "2.04 to 1"],
    ["A new oven would cost $45,000 upfront and save $2,500 a month.", "18 periods"],
    ["The equipment is $45,000. The budget is $40,000.", "exceed the budget of $40,000 by $5,000"],
    ["Churn is 8% a month, at a price of $50.", "12.5 periods"],
    ["Revenue was $200,000. It grew 10%.", "10%"],
  ])("works out of %j: %s", async (context, arithmetic) => {
    expect((await analyze({ context })).reasoning).toContain(arithmetic);
  });

  it.each([
    ["Should we hire a second salesperson or improve onboarding?", "reduce churn", "improve onboarding"],
    [
      "Should we hire a second salesperson or improve onboarding?",
      "win new customers",
      "hire a second salesperson",
    ],
    ["Option A: lease the van\nOption B: buy the van with a loan", "keep risk low", "lease the van"],
  ])("chooses of %j by the goal %j: %s", async (context, goal, choice) => {
    const constraints = ["No loan this year"];
    expect((await analyze({ context, goal, constraints })).recommendation).toContain(choice);
  });

  it("weighs a fall beside a growth of the same text", async () => {
    const context = "Online sales grew 40% in spring, but store visits fell 12%.";
    const { reasoning, recommendation } = await analyze({ context });
    expect(reasoning).toContain("up by 40%");
    expect(reasoning).toContain("down by 12%");
    expect(recommendation).toContain("12%");
  });

  it("chooses none where a constraint forbids each", async () => {
    const body = {
      context: "Should we take a loan or sell shares?",
      constraints: ["No loan", "Never sell shares"],
    };
    expect((await analyze(body)).recommendation).toMatch(/^Choose none/);
  });

  it("is surer with figures and a goal than without", async () => {
    const vague = await analyze({ context: "We might do something with tea." });
    const clear = await analyze({
      context: "The price is $20 and the unit cost is $12.",
      goal: "more profit",
    });
    expect(clear.confidence).toBeGreaterThan(vague.confidence);
  });

  it("answers whatever it is given, within the contract", async () => {
    const text = fc.string({ minLength: 1, maxLength: 200 }).filter((one) => one.trim() !== "");
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.string({ maxLength: 50 }),
        fc.array(fc.string({ maxLength: 50 }), { maxLength: 3 }),
        async (context, goal, constraints) => {
          expect((await analyze({ context, goal, constraints })).model).toBe("offline-small");
        },
      ),
    );
  });
});
