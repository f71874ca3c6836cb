import fc from "fast-check";
import { describe, expect, it } from "vitest";
import offline from "../../../src/features/task-orchestrate/offline.ts";
import type { OrchestrateStep } from "../../../src/features/task-orchestrate/index.ts";
import { planFor } from "../../../src/features/task-orchestrate/plan.ts";

const TOOLS = ["search", "mailer", "chart maker"];

/** Plans as a model might make them: mostly fit to be carried out, sometimes not. */
const anyStep = fc.record({
  step: fc.integer({ min: 0, max: 8 }),
  tool: fc.constantFrom(...TOOLS, ...TOOLS, "invented"),
  action: fc.constantFrom("Do it.", ""),
  input: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }),
  dependsOn: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 2 }),
});
/** Steps 1 to n in any order, each waiting for earlier numbers only: always fit. */
const fitPlan = fc
  .array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 10 })
  .chain((waits) =>
    fc.shuffledSubarray(
      waits.map((before, index) => ({
        step: index + 1,
        tool: TOOLS[index % TOOLS.length] ?? "",
        action: `Do ${index + 1}.`,
        input: {},
        dependsOn: index === 0 ? [] : before.map((number) => (number % index) + 1),
      })),
      { minLength: waits.length },
    ),
  );

function expectToBeCarriedOut(plan: readonly OrchestrateStep[]): void {
  expect(plan.map(({ step }) => step)).toEqual(plan.map((_, index) => index + 1));
  for (const { step, tool, dependsOn } of plan) {
    expect(TOOLS).toContain(tool);
    expect(dependsOn.every((before) => Number.isInteger(before) && before >= 1 && before < step)).toBe(true);
    expect(new Set(dependsOn).size).toBe(dependsOn.length);
  }
}

const plan = (data: Record<string, unknown>) => offline({ data, schema: {}, tier: "small" });

describe("whatever a model plans", () => {
  it("what is accepted uses given tools only, is numbered from 1, and waits for earlier steps only", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 6 }), (plan) => {
        const parsed = planFor(TOOLS).safeParse({ plan, summary: "s", estimated: 1 });
        if (parsed.success) expectToBeCarriedOut(parsed.data.plan);
      }),
      { numRuns: 500 },
    );
  });

  it("a plan that can be carried out is accepted with all its steps, whatever their order", () => {
    fc.assert(
      fc.property(fitPlan, (plan) => {
        const { plan: ordered } = planFor(TOOLS).parse({ plan, summary: "s", estimated: 1 });
        expectToBeCarriedOut(ordered);
        expect(ordered.map(({ action }) => action).toSorted()).toEqual(
          plan.map(({ action }) => action).toSorted(),
        );
      }),
    );
  });
});

describe("the offline plan", () => {
  it("can be carried out for any task and tools", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 200, unit: "grapheme" }),
        fc.array(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 6 }),
        (task, tools) => {
          expect(planFor(tools).safeParse(plan({ task, tools })).success).toBe(true);
        },
      ),
    );
  });

  it("gathers material first where the task names a subject and a tool can", () => {
    const data = { task: "Write a post about espresso machines", tools: ["writer", "web_search"] };
    expect(plan(data)).toMatchObject({
      plan: [
        { tool: "web_search", action: "Gather material on espresso machines.", dependsOn: [] },
        { tool: "writer", input: { from: ["{{step 1}}"] }, dependsOn: [1] },
      ],
    });
  });

  it("gives each step the facts that it is about, and the others to the first", () => {
    const data = {
      task: "Translate the text. Then send it to the customer",
      tools: ["mailer", "deepl"],
      context: { customer: "Iberdrola", text: "Hola", tone: "formal" },
    };
    expect(plan(data)).toMatchObject({
      plan: [
        { tool: "deepl", input: { context: { text: "Hola", tone: "formal" } } },
        { tool: "mailer", input: { context: { customer: "Iberdrola" } } },
      ],
    });
  });

  it("says which tools are guesses", () => {
    expect(plan({ task: "Frobnicate the widget", tools: ["alpha", "beta"] })).toMatchObject({
      plan: [{ tool: "alpha" }],
      summary: expect.stringContaining("guesses: Frobnicate the widget."),
    });
  });

  it("is another one for another task or other tools", () => {
    const tools = ["web_search", "mailer"];
    const plans = [
      plan({ task: "Search for cats", tools }),
      plan({ task: "Search for dogs", tools }),
      plan({ task: "Search for dogs", tools: ["google", "mailer"] }),
    ];
    expect(new Set(plans.map((one) => JSON.stringify(one))).size).toBe(3);
  });
});
