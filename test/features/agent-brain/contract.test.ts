import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestModels, type TestModels } from "../../support/offline-server.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../../support/platform.ts";

const SLUGS = ["agent-brain", "agent-brain-smart"] as const;
const PRICES = { "agent-brain": 8, "agent-brain-smart": 20 };
const MODELS = { "agent-brain": "meshforge-offline-small", "agent-brain-smart": "meshforge-offline-large" };

let models: TestModels;
let platform: TestPlatform;
beforeAll(async () => {
  models = await startTestModels();
  platform = await startTestPlatform({
    env: { OFFLINE_MODELS_URL: models.url },
    pools: [
      { pool: "brain", slots: 4 },
      { pool: "brain-large", slots: 4 },
    ],
  });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
  await models.close();
});

const call = (slug: string, key: string, body: unknown): Promise<Answer> =>
  platform.request("POST", `/api/call/${slug}`, { key, body });

describe.each(SLUGS)("%s", (slug) => {
  it("answers in its full form, for its price, by its own model", async () => {
    const { key } = await platform.account(100);
    await platform.request("POST", "/api/call/agent-memory", {
      key,
      body: { content: "Ada works at Acme." },
    });
    const { status, body } = await call(slug, key, { question: "Where does Ada work?" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ price: PRICES[slug], balance: 98 - PRICES[slug] });
    expect(body.result).toEqual({
      answer: "From memory: “Ada works at Acme.”",
      reasoning: expect.stringContaining("without a language model"),
      confidence: 0.85,
      memories_considered: 1,
      used_memories: [{ id: expect.stringMatching(/^mem_/), content: "Ada works at Acme." }],
      learned: [],
      model: MODELS[slug],
      engine: "local",
    });
  });

  it.each([
    [{ think: "What is 2 + 2?", question: "What is 3 + 3?" }, "2 + 2 = 4"],
    [{ think: " ", question: "What is 3 + 3?", task: "What is 4 + 4?" }, "3 + 3 = 6"],
    [{ task: "What is 4 + 4?", input: "What is 5 + 5?" }, "4 + 4 = 8"],
    [{ input: "  What is 5 + 5?  " }, "5 + 5 = 10"],
    [{ think: null, question: "", input: "What is 6 + 6?" }, "6 + 6 = 12"],
  ])("reads the first filled key of %j", async (body, answer) => {
    const { key } = await platform.account(100);
    expect((await call(slug, key, body)).body.result).toMatchObject({ answer });
  });

  it.each([
    {},
    { think: "" },
    { question: " \n" },
    { task: 5 },
    { input: ["a"] },
    { think: "a", character: 7 },
  ])("refuses %j, uncharged", async (body) => {
    const { key } = await platform.account(100);
    const answer = await call(slug, key, body);
    expect([answer.status, answer.body.error]).toEqual([400, "invalid_input"]);
  });

  it("cuts the question to 4,000 code points", async () => {
    const { key } = await platform.account(100);
    await call(slug, key, { question: `${"💜".repeat(3_990)} and a long rest` });
    const messages = models.taken.at(-1)?.body["messages"] as { content: string }[];
    const { question } = JSON.parse(messages[1]?.content ?? "") as { question: string };
    expect(question).toBe(`${"💜".repeat(3_990)} and a lon`);
  });

  it("remembers under the same scopes as agent-memory", async () => {
    const { key } = await platform.account(100);
    const { body } = await call(slug, key, { question: "My name is Grace.", as: "The Captain!" });
    expect(body.result.learned).toEqual(["My name is Grace."]);
    const recall = async (character?: string): Promise<unknown[]> =>
      (await platform.request("POST", "/api/call/agent-memory", { key, body: { character } })).body.result
        .memories;
    expect(await recall("the captain")).toMatchObject([{ content: "My name is Grace." }]);
    expect(await recall()).toEqual([]);
  });
});
