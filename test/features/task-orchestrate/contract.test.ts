import { describe, expect, it } from "vitest";
import { passes } from "../../../src/core/catalog/vectors.ts";
import type { MemoryPort, MemoryScope } from "../../../src/core/memory/memory.ts";
import { testedCapability } from "../../support/capability.ts";
import { offlineModels, scriptedModels } from "../../support/model-answers.ts";

const { capability, vectors, parse, run } = await testedCapability("task-orchestrate");
const models = offlineModels();
const TASK = { task: "Search for news and email them", tools: ["search", "mailer"] };

const step = (over: Record<string, unknown> = {}) => ({
  step: 1,
  tool: "search",
  action: "Search.",
  input: {},
  dependsOn: [],
  ...over,
});
const answer = (plan: readonly unknown[]) => ({ plan, summary: "A plan.", estimated: 3 });

const refuse = (): Promise<never> => Promise.reject(new Error("Planning only looks for what is relevant."));

/** Remembers one thing, and notes who asks. */
const memoryOf = (scopes: MemoryScope[]): MemoryPort => {
  return {
    find: refuse,
    unknown: refuse,
    room: refuse,
    relevant: (scope) => {
      scopes.push(scope);
      const memories = [{ id: "mem_1", content: "Emails go to anna@example.com", created: new Date(0) }];
      return Promise.resolve({ memories, engine: "local" });
    },
  };
};

describe("the contract", () => {
  it.each(vectors)("holds for the golden vector: $name", async (vector) => {
    expect(passes(vector, { output: await run(vector.input, { models }) })).toBe(true);
  });

  it("costs 3 MESH, or 0.003 USD as /v1/orchestrate, and needs a small model of the brain pool", () => {
    expect(capability).toMatchObject({ pool: "brain", model: "small" });
    expect(capability.offers).toEqual([
      { surface: "marketplace", price: { currency: "MESH", amount: 3 } },
      {
        surface: "tool-api",
        route: { method: "POST", path: "/v1/orchestrate" },
        price: { currency: "USD", amount: 3_000 },
      },
    ]);
  });

  it.each([
    {},
    { task: "x" },
    { tools: ["a"] },
    { task: "", tools: ["a"] },
    { task: " \n", tools: ["a"] },
    { task: 5, tools: ["a"] },
    { task: "x", tools: [] },
    { task: "x", tools: "search" },
    { task: "x", tools: ["a", 5] },
    { task: "x", tools: ["a", " "] },
    { task: "x", tools: ["a"], context: [] },
    { task: "x", tools: ["a"], context: "y" },
    { task: "x", tools: ["a"], use_memory: "yes" },
  ])("refuses %j", (body) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });

  it.each([
    ["101 tools", { ...TASK, tools: Array.from({ length: 101 }, (_, index) => `tool ${index}`) }],
    ["a tool of 501 characters", { ...TASK, tools: ["a".repeat(501)] }],
    ["a task of 8,001 characters", { ...TASK, task: "x".repeat(8_001) }],
    ["a context of over 50,000 characters", { ...TASK, context: { long: "y".repeat(50_001) } }],
  ])("refuses %s", (_name, body) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });

  it("takes null as absent", () => {
    expect(parse({ ...TASK, context: null, use_memory: null })).toEqual(TASK);
  });
});

describe("what the model is told", () => {
  it("is task, tools and context as data, with each tool once, and nothing of it outside the data", async () => {
    const asked = scriptedModels(answer([step()]));
    await run(
      { ...TASK, tools: ["search", "INJECTED-TOOL", "search"], context: { city: "INJECTED-CITY" } },
      { models: asked },
    );
    const [system, user] = asked.asked[0]?.messages ?? [];
    expect(JSON.parse(user?.content ?? "")).toEqual({
      task: TASK.task,
      tools: ["search", "INJECTED-TOOL"],
      context: { city: "INJECTED-CITY" },
    });
    expect(system?.content).not.toContain("INJECTED");
    expect(JSON.stringify(asked.asked[0]?.schema)).not.toContain("INJECTED");
  });

  it("holds no caller's word in the fault of a first answer either", async () => {
    const asked = scriptedModels(answer([step({ tool: "INVENTED" })]), answer([step()]));
    await run({ ...TASK, tools: ["search", "INJECTED-TOOL"] }, { models: asked });
    expect(asked.asked[1]?.messages.at(-1)?.content).not.toMatch(/INJECTED|INVENTED/);
  });
});

describe("memory", () => {
  it("is looked at only with use_memory, in the account's own scope, and nothing is written", async () => {
    const scopes: MemoryScope[] = [];
    const asked = scriptedModels(answer([step()]));
    const own = {
      models: asked,
      memory: memoryOf(scopes),
      accountId: "acc_mine",
      effect: () => expect.fail("Planning writes nothing."),
    };
    await run(TASK, own);
    await run({ ...TASK, use_memory: false }, own);
    expect(scopes).toEqual([]);
    await run({ ...TASK, use_memory: true }, own);
    expect(scopes).toEqual([{ accountId: "acc_mine", character: "" }]);
    const told = asked.asked.map(
      ({ messages }) => JSON.parse(messages[1]?.content ?? "") as { memories?: unknown },
    );
    expect(told.map(({ memories }) => memories)).toEqual([
      undefined,
      undefined,
      ["Emails go to anna@example.com"],
    ]);
  });

  it("reaches the offline plan's step that it is about", async () => {
    const { plan, summary } = await run({ ...TASK, use_memory: true }, { models, memory: memoryOf([]) });
    expect(plan[1]).toMatchObject({
      tool: "mailer",
      input: { remembered: ["Emails go to anna@example.com"] },
    });
    expect(summary).toContain("1 stored note");
  });
});

describe("a hostile model", () => {
  it("that invents a tool is asked again, and then fails the call", async () => {
    const asked = scriptedModels(answer([step({ tool: "rm -rf" })]));
    await expect(run(TASK, { models: asked })).rejects.toMatchObject({ code: "model_output_invalid" });
    expect(asked.asked).toHaveLength(2);
  });

  it("that is right the second time is taken at that", async () => {
    const asked = scriptedModels(answer([step({ tool: "Search" })]), answer([step()]));
    expect(await run(TASK, { models: asked })).toMatchObject({ plan: [{ tool: "search" }], estimated: 3 });
  });

  it.each([
    ["no steps", []],
    ["a circle", [step({ dependsOn: [2] }), step({ step: 2, dependsOn: [1] })]],
    ["a step that waits for itself", [step({ dependsOn: [1] })]],
    ["a step that waits for none that there is", [step({ dependsOn: [7] })]],
    ["two steps of one number", [step(), step()]],
    ["a step 0", [step({ step: 0 })]],
    ["an input that is no object", [step({ input: ["x"] })]],
    ["an empty action", [step({ action: "  " })]],
    ["too many steps", Array.from({ length: 31 }, (_, index) => step({ step: index + 1 }))],
  ])("cannot answer with %s", async (_name, plan) => {
    await expect(run(TASK, { models: scriptedModels(answer(plan)) })).rejects.toMatchObject({
      code: "model_output_invalid",
    });
  });

  it("cannot estimate less than nothing", async () => {
    const wrong = { ...answer([step()]), estimated: -1 };
    await expect(run(TASK, { models: scriptedModels(wrong) })).rejects.toMatchObject({
      code: "model_output_invalid",
    });
  });

  it("that numbers oddly and mixes the order up is put in order", async () => {
    const mixed = [
      step({ step: 30, tool: "mailer", dependsOn: [10, 20, 10] }),
      step({ step: 20, action: "Second.", dependsOn: [10] }),
      step({ step: 10, action: "First." }),
    ];
    const { plan } = await run(TASK, { models: scriptedModels(answer(mixed)) });
    expect(plan).toEqual([
      step({ action: "First." }),
      step({ step: 2, action: "Second.", dependsOn: [1] }),
      step({ step: 3, tool: "mailer", dependsOn: [1, 2] }),
    ]);
  });
});
