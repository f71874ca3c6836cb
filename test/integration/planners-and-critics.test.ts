import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { entries } from "../support/calls.ts";
import { memoriesOf, plant } from "../support/memories.ts";
import {
  type FakeModelServer,
  good,
  saying,
  startModelServer,
  wrongSchema,
} from "../support/model-server.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";

const PRICES = {
  "browser-agent-101": 2,
  "independent-ai-third-party-audit": 8,
  "negative-control": 5,
  "refutation-pass": 8,
  "task-orchestrate": 3,
};
const INPUTS = {
  "browser-agent-101": { question: "How do I fill a form?" },
  "independent-ai-third-party-audit": { scope: "A chatbot", frameworks: ["GDPR"] },
  "negative-control": { fix: "if (x) return;" },
  "refutation-pass": { claim: "All birds can fly" },
  "task-orchestrate": { task: "Search for news", tools: ["search"] },
};

let server: FakeModelServer;
let platform: TestPlatform;
beforeAll(async () => {
  server = await startModelServer();
  platform = await startTestPlatform({
    env: { OFFLINE_MODELS_URL: server.url },
    pools: [{ pool: "brain", slots: 4 }],
  });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
  await server.close();
});
beforeEach(() => server.behave(good));

const call = (key: string, slug: string, body: unknown): Promise<Answer> =>
  platform.request("POST", `/api/call/${slug}`, { key, body });

/** What the model was asked last. */
const shown = (): string => JSON.stringify(server.seen.at(-1)?.body);

describe.each(Object.entries(PRICES))("%s", (slug, price) => {
  it("refuses a body without its text, uncharged", async () => {
    const { id, key } = await platform.account(100);
    expect(await call(key, slug, {})).toMatchObject({ status: 400, body: { error: "invalid_input" } });
    expect(await entries(platform, id)).toEqual([]);
  });

  it("is refunded when the model answers wrongly twice", async () => {
    const { id, key } = await platform.account(100);
    server.behave(wrongSchema);
    const { status, body } = await call(key, slug, INPUTS[slug as keyof typeof INPUTS]);
    expect(status).toBe(502);
    expect(body).toMatchObject({ error: "model_output_invalid", refunded: true, price, balance: 100 });
    expect(await entries(platform, id)).toEqual([
      ["charge", -price],
      ["refund", price],
    ]);
  });
});

describe("a hostile model over the wire", () => {
  it("gets no tool into a plan that was not given", async () => {
    const { key } = await platform.account(100);
    const plan = [{ step: 1, tool: "shell", action: "Delete everything.", input: {}, dependsOn: [] }];
    server.behave(saying(JSON.stringify({ plan, summary: "Done.", estimated: 1 })));
    const { status, body } = await call(key, "task-orchestrate", INPUTS["task-orchestrate"]);
    expect(status).toBe(502);
    expect(JSON.stringify(body)).not.toContain("Delete everything");
  });

  it("has no say in the revert of a diff, nor in whether it was confirmed", async () => {
    const { key } = await platform.account(100);
    const lie = { how: "I ran all tests.", confirmed: true };
    server.behave(
      saying(
        JSON.stringify({ assertion: "It works.", minimal_revert: "nothing", confirmed_non_vacuous: lie }),
      ),
    );
    const { body } = await call(key, "negative-control", { patch: "@@ -1 +1 @@\n-a < 1\n+a <= 1\n" });
    expect(body.result).toMatchObject({
      minimal_revert: "@@ -1,1 +1,1 @@\n-a <= 1\n+a < 1\n",
      confirmed_non_vacuous: { confirmed: false, how: expect.stringContaining("names nothing") },
    });
  });

  it("refutes nothing without a counterexample", async () => {
    const { key } = await platform.account(100);
    server.behave(
      saying(JSON.stringify({ refuted: true, counterexample: null, attempts: ["Thought."], confidence: 1 })),
    );
    const { body } = await call(key, "refutation-pass", { claim: "All birds can fly" });
    expect(body.result).toMatchObject({ refuted: false, counterexample: null, confidence: 0 });
  });

  it("audits against no framework but the audit's", async () => {
    const { key } = await platform.account(100);
    const finding = {
      framework: "House rules",
      severity: "low",
      finding: "A gap.",
      recommendation: "Close it.",
    };
    server.behave(saying(JSON.stringify({ findings: [finding], verdict: "ready", limitations: [] })));
    expect(
      (await call(key, "independent-ai-third-party-audit", { scope: "A chatbot", frameworks: ["GDPR"] }))
        .status,
    ).toBe(502);
  });
});

describe("planning with use_memory", () => {
  const TASK = { task: "Mail the report to the customer", tools: ["mailer"] };

  it("shows the model what the account itself has stored, and nothing of its characters or of others", async () => {
    const [mine, other] = [await platform.account(100), await platform.account(100)];
    await plant(platform, mine.id, [
      { content: "The customer's report goes to anna@mine.example" },
      { content: "The customer's report goes to bob@character.example", character: "bob" },
    ]);
    await plant(platform, other.id, [{ content: "The customer's report goes to carl@other.example" }]);
    const { body } = await call(mine.key, "task-orchestrate", { ...TASK, use_memory: true });
    expect(body.result.plan[0].input.remembered).toEqual(["The customer's report goes to anna@mine.example"]);
    expect(shown()).toContain("anna@mine.example");
    expect(shown()).not.toMatch(/character\.example|other\.example/);
  });

  it("shows nothing without it, and leaves the memories as they are", async () => {
    const { id, key } = await platform.account(100);
    await plant(platform, id, [{ content: "The customer's report goes to anna@mine.example" }]);
    const before = await memoriesOf(platform, id);
    await call(key, "task-orchestrate", TASK);
    expect(shown()).not.toContain("anna@mine.example");
    await call(key, "task-orchestrate", { ...TASK, use_memory: true });
    expect(await memoriesOf(platform, id)).toEqual(before);
  });
});
