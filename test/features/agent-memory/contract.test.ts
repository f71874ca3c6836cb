import { afterAll, beforeAll, describe, expect, it } from "vitest";
import agentMemory from "../../../src/features/agent-memory/index.ts";
import { parseInput } from "../../../src/core/catalog/input.ts";
import { testedCapability } from "../../support/capability.ts";
import { inputSchema } from "../../../src/core/catalog/zod-contract.ts";
import { matches } from "../../../src/core/catalog/vectors.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../../support/platform.ts";

const { vectors } = await testedCapability("agent-memory");

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

type Caller = Awaited<ReturnType<TestPlatform["account"]>>;
const call = (key: string, body: unknown): Promise<Answer> =>
  platform.request("POST", "/api/call/agent-memory", { key, body });
const result = async ({ key }: Caller, body: unknown): Promise<Answer["body"]> =>
  (await call(key, body)).body.result;
const contents = async (caller: Caller, body: unknown): Promise<string[]> =>
  (await result(caller, body)).memories.map(({ content }: { content: string }) => content);
async function storeAll(caller: Caller, ...texts: readonly string[]): Promise<void> {
  for (const content of texts) await result(caller, { content });
}

it.each(vectors)("holds for the golden vector: $name", async ({ input, expect: expected }) => {
  expect(matches(await result(await platform.account(), input), expected)).toBe(true);
});

describe("the action", () => {
  it.each([
    [{ content: "a" }, "store"],
    [{ remember: "a" }, "store"],
    [{ text: "a", query: "b" }, "store"],
    [{ action: null, content: "a" }, "store"],
    [{ action: "", content: "a" }, "store"],
    [{ action: "recall", content: "a" }, "recall"],
    [{ content: " \n" }, "recall"],
    [{ query: "a" }, "recall"],
    [{}, "recall"],
  ])("of %j is %s", async (body, action) => {
    expect(await result(await platform.account(), body)).toMatchObject({ action });
  });

  it.each([
    [{ action: "forget", content: "a" }, "action"],
    [{ action: "store" }, "content"],
    [{ action: "store", content: " \t " }, "content"],
    [{ content: 5 }, "content"],
    [{ query: ["a"] }, "query"],
    [{ character: {} }, "character"],
  ])("and its fields are refused in %j, for the fault in %s", (body, path) => {
    expect(() => parseInput(agentMemory, body)).toThrow(
      expect.objectContaining({
        code: "invalid_input",
        details: { issues: [expect.objectContaining({ path })] },
      }),
    );
  });

  it("is declared required", () => {
    expect(inputSchema(agentMemory)).toMatchObject({ required: ["action"] });
  });
});

describe("storing", () => {
  it("tells id, scope and length", async () => {
    const caller = await platform.account();
    expect(await result(caller, { action: "store", content: " a note " })).toEqual({
      action: "store",
      stored: true,
      id: expect.stringMatching(/^mem_[0-9a-f]{32}$/),
      scope: caller.id,
      length: 6,
    });
  });

  it("cuts to 2,000 code points and never within one", async () => {
    const caller = await platform.account();
    expect(await result(caller, { content: "💜".repeat(2_500) })).toMatchObject({ length: 2_000 });
    expect(await contents(caller, {})).toEqual(["💜".repeat(2_000)]);
  });

  it.each([
    ["Gandalf the Grey", "gandalf-the-grey"],
    ["  --NPC #7!--  ", "npc-7"],
    ["x".repeat(60), "x".repeat(48)],
    [`${"x".repeat(47)} yy`, "x".repeat(47)],
    ["Ада Лавлейс", "ада-лавлейс"],
  ])("shows the character %j as %s in the scope", async (character, slug) => {
    const caller = await platform.account();
    expect(await result(caller, { content: "a", character })).toMatchObject({
      scope: `${caller.id}/${slug}`,
    });
  });

  it("keeps texts that would be SQL or a pattern as they are", async () => {
    const caller = await platform.account();
    const texts = ["'; drop table memories; --", "100 % sure", "a_b", "back\\slash", '{"a":"\\u0041"}'];
    await storeAll(caller, ...texts);
    expect(await contents(caller, {})).toEqual(texts.toReversed());
    expect(await contents(caller, { query: "%" })).toEqual(["100 % sure"]);
    expect(await contents(caller, { query: "_" })).toEqual(["a_b"]);
    expect(await contents(caller, { query: "\\" })).toEqual(['{"a":"\\u0041"}', "back\\slash"]);
  });
});

describe("recalling", () => {
  it("gives the 10 newest first without a query", async () => {
    const caller = await platform.account();
    const texts = Array.from({ length: 12 }, (_, nth) => `note ${nth}`);
    await storeAll(caller, ...texts);
    const { memories, count } = await result(caller, { action: "recall", query: "  " });
    expect(count).toBe(10);
    expect(memories).toEqual(
      texts
        .toReversed()
        .slice(0, 10)
        .map((content) => ({
          id: expect.stringMatching(/^mem_/),
          content,
          created: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
        })),
    );
  });

  it("finds what holds one of the terms, inside words and whatever the case", async () => {
    const caller = await platform.account();
    await storeAll(caller, "A TEAPOT", "coffee cup", "Straße nach Köln", "plain water");
    expect(await contents(caller, { query: "teapot" })).toEqual(["A TEAPOT"]);
    expect(await contents(caller, { q: "pot CUP" })).toEqual(["coffee cup", "A TEAPOT"]);
    expect(await contents(caller, { recall: "KÖLN" })).toEqual(["Straße nach Köln"]);
    expect(await contents(caller, { query: "milk" })).toEqual([]);
  });

  it("takes the first five terms", async () => {
    const caller = await platform.account();
    await storeAll(caller, "the fifth", "the sixth");
    expect(await contents(caller, { query: "1 2 3 4 fifth sixth" })).toEqual(["the fifth"]);
  });

  it("is apart for each character, and for the account itself", async () => {
    const caller = await platform.account();
    await result(caller, { content: "of none" });
    await result(caller, { content: "of Ada", as: "Ada" });
    await result(caller, { content: "of Grace", npc: "Grace" });
    expect(await contents(caller, {})).toEqual(["of none"]);
    expect(await contents(caller, { character: "ADA!" })).toEqual(["of Ada"]);
    expect(await contents(caller, { query: "of", character: "grace" })).toEqual(["of Grace"]);
  });

  it("brings nothing of another account", async () => {
    const [one, other] = [await platform.account(), await platform.account()];
    await storeAll(one, "a secret");
    expect(await contents(other, { query: "secret" })).toEqual([]);
    expect(await contents(other, {})).toEqual([]);
  });
});
