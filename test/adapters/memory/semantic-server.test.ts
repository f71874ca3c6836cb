import type { ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectSemanticServer } from "../../../src/adapters/memory/semantic-server.ts";
import { Memories } from "../../../src/core/memory/memories.ts";
import type { MemoryScope } from "../../../src/core/memory/memory.ts";
import { plant } from "../../support/memories.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { json, ranked, type SemanticTestServer, startSemanticServer } from "../../support/semantic-server.ts";
import { letPass } from "../../support/let-pass.ts";
import { LIMITS } from "../../../src/core/limits.ts";
import { changeLimits } from "../../support/limits.ts";

const KEY = "a-key";
const { signal } = new AbortController();

let platform: TestPlatform;
let server: SemanticTestServer;
let memories: Memories;
const fallbacks: unknown[] = [];
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
  server = await startSemanticServer();
  memories = new Memories({
    db: platform.runtime.db,
    semantic: connectSemanticServer({ url: server.url, apiKey: KEY }),
    onFallback: (error) => fallbacks.push(error),
  });
});
afterEach(() => {
  server.onRecall(undefined);
  fallbacks.length = 0;
});
afterAll(async () => {
  await server.close();
  await platform.stop();
});

async function scopeWith(...contents: readonly string[]): Promise<{ scope: MemoryScope; ids: string[] }> {
  const { id: accountId } = await platform.account();
  const ids = await plant(
    platform,
    accountId,
    contents.map((content) => ({ content })),
  );
  return { scope: { accountId, character: "" }, ids };
}
const relevant = async (scope: MemoryScope, question: string, limit = 12) => {
  const found = await memories.relevant(scope, { question, limit, signal });
  return { engine: found.engine, contents: found.memories.map(({ content }) => content) };
};

describe("a semantic server that answers", () => {
  const { semanticTimeoutMs } = LIMITS;
  beforeAll(() => changeLimits({ semanticTimeoutMs: 60_000 }));
  afterAll(() => changeLimits({ semanticTimeoutMs }));

  it("is asked with scope, query, limit and key, and its order is taken", async () => {
    const { scope, ids } = await scopeWith("tea", "coffee", "milk");
    server.onRecall(ranked([ids[1] ?? "", ids[0] ?? ""]));
    expect(await relevant(scope, "tea, of course")).toEqual({
      engine: "semantic",
      contents: ["coffee", "tea", "milk"],
    });
    expect(server.asked.at(-1)).toMatchObject({
      path: "/v1/recall",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      body: {
        scope: { account: scope.accountId, character: "" },
        query: "tea, of course",
        limit: 12,
      },
    });
    expect(fallbacks).toEqual([]);
  });

  it("cannot bring memories of another account, of another character, or that do not exist", async () => {
    const { scope, ids } = await scopeWith("own");
    const foreign = await scopeWith("of another account");
    const [other = ""] = await plant(platform, scope.accountId, [{ content: "of Ada", character: "ada" }]);
    server.onRecall(ranked([...foreign.ids, other, "mem_invented", ids[0] ?? "", ids[0] ?? ""]));
    expect(await relevant(scope, "anything")).toEqual({ engine: "semantic", contents: ["own"] });
    server.onRecall(ranked([...foreign.ids, other, "mem_invented"]));
    expect(await relevant(scope, "anything")).toEqual({ engine: "local", contents: ["own"] });
  });

  it("gives no more than was asked for", async () => {
    const { scope, ids } = await scopeWith("1", "2", "3", "4");
    server.onRecall(ranked(ids));
    expect((await relevant(scope, "numbers", 2)).contents).toEqual(["1", "2"]);
  });

  it("serves also where there is nothing to remember", async () => {
    const { scope } = await scopeWith();
    server.onRecall(ranked([]));
    expect(await relevant(scope, "anything")).toEqual({ engine: "semantic", contents: [] });
  });
});

const misbehaviours: [string, (response: ServerResponse) => void][] = [
  ["refuses", (response) => void response.writeHead(500).end("{}")],
  ["sends elsewhere", (response) => void response.writeHead(307, { location: "http://127.0.0.1:1/" }).end()],
  ["dies before its answer", (response) => void response.destroy()],
  [
    "dies in the middle of its answer",
    (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"results": [');
      setTimeout(() => response.destroy(), 20);
    },
  ],
  ["hangs", () => undefined],
  ["answers without end", (response) => void trickle(response)],
  ["answers no JSON", (response) => json(response, "<html>")],
  ["answers JSON of another form", (response) => json(response, { results: [{ id: 5 }] })],
  ["answers null", (response) => json(response, "null")],
  ["answers far too much", (response) => json(response, `{"results": [${" ".repeat(2_000_000)}]}`)],
];

async function trickle(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "application/json" });
  while (!response.destroyed) {
    response.write(" ");
    await letPass(20);
  }
}

describe("a semantic server that", () => {
  it.each(misbehaviours)("%s leaves the ranking to the own store, in time", async (_name, misbehave) => {
    const { scope } = await scopeWith("the teapot is blue", "nothing of interest");
    server.onRecall(misbehave);
    expect(await relevant(scope, "Which colour has the teapot?")).toEqual({
      engine: "local",
      contents: ["the teapot is blue", "nothing of interest"],
    });
    expect(fallbacks).toHaveLength(1);
  });

  it("is not there leaves the ranking to the own store", async () => {
    const gone = await startSemanticServer();
    await gone.close();
    const { scope } = await scopeWith("only this");
    const alone = new Memories({
      db: platform.runtime.db,
      semantic: connectSemanticServer({ url: gone.url, apiKey: null }),
      onFallback: (error) => fallbacks.push(error),
    });
    const found = await alone.relevant(scope, { question: "what?", limit: 12, signal });
    expect(found).toMatchObject({ engine: "local", memories: [{ content: "only this" }] });
    expect(fallbacks).toHaveLength(1);
  });
});
