import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256Hex } from "../../src/core/canonical.ts";
import { type EndColumns, Work } from "../../src/core/calls/work.ts";
import type { Effect } from "../../src/core/catalog/define.ts";
import { countRecall, storeMemory } from "../../src/core/memory/effects.ts";
import { begin, ended, entries, loseLease, row } from "../support/calls.ts";
import { memoriesOf, plant } from "../support/memories.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { until } from "../support/until.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

const post = (key: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  platform.request("POST", "/api/call/agent-memory", { key, body, headers });
const mind = async (key: string): Promise<number> =>
  (await platform.request("GET", "/api/account", { key })).body.mind;
const contentsOf = async (accountId: string): Promise<string[]> =>
  (await memoriesOf(platform, accountId)).map(({ content }) => content);

describe("a memory of an inline call", () => {
  it("stands exactly once, with the charge and under the id that was given", async () => {
    const { id, key } = await platform.account(10);
    const { body } = await post(key, { content: "kept" });
    expect(await memoriesOf(platform, id)).toEqual([
      { id: body.result.id, character: "", content: "kept", recalls: 0, call_id: body.call_id },
    ]);
    expect(await entries(platform, id)).toEqual([["charge", -2]]);
  });

  it("is not made when the account cannot pay", async () => {
    const { id, key } = await platform.account(1);
    expect((await post(key, { content: "unpaid" })).status).toBe(402);
    expect((await post(key, { content: "too dear" }, { "max-price": "1" })).status).toBe(402);
    expect(await contentsOf(id)).toEqual([]);
  });

  it("is made once when the request is sent again, also at the same time", async () => {
    const { id, key } = await platform.account(10);
    const send = (): Promise<Answer> => post(key, { content: "once" }, { "idempotency-key": "one" });
    const answers = [...(await Promise.all([send(), send(), send()])), await send()];
    expect(new Set(answers.map(({ body }) => body.result.id)).size).toBe(1);
    expect(await contentsOf(id)).toEqual(["once"]);
    expect(await entries(platform, id)).toEqual([["charge", -2]]);
  });

  it("is not made when the account is full, and the price comes back", async () => {
    const { id, key } = await platform.account(10);
    await platform.database.owner.query(
      `insert into memories (id, account_id, character, content, call_id)
       select 'mem_' || $1 || nth, $1, '', 'note ' || nth, null from generate_series(1, 10000) nth`,
      [id],
    );
    const { status, body } = await post(key, { content: "one too many" });
    expect(status).toBe(422);
    expect(body).toMatchObject({ error: "memory_full", refunded: true, balance: 10 });
    expect((await post(key, { query: "many" })).body.result.count).toBe(0);
    expect(await row(platform, body.call_id)).toMatchObject({ input_fault: true });
  });

  it("is counted as recalled by each paid recall that gives it, and by no other", async () => {
    const { id, key } = await platform.account(5);
    await post(key, { content: "tea" });
    await plant(platform, id, [{ content: "coffee" }]);
    await post(key, { query: "tea" });
    expect((await post(key, { query: "tea" })).status).toBe(402);
    const recalls = (await memoriesOf(platform, id)).map(({ content, recalls }) => [content, recalls]);
    expect(recalls).toEqual([
      ["tea", 1],
      ["coffee", 0],
    ]);
  });
});

const work = (worker: string): Work => new Work(platform.runtime.db, worker);

function success(...effects: readonly Effect[]): EndColumns {
  const output = JSON.stringify({ text: "" });
  return {
    state: "succeeded",
    output,
    output_ref: null,
    output_sha256: sha256Hex(output),
    effects,
    tokens_prompt: 7,
    tokens_completion: 3,
  };
}

describe("a memory of a queued call", () => {
  it("is made once with the tokens, by the attempt that counts, when the first worker was lost", async () => {
    const { id, key } = await platform.account(10);
    const callId = await begin(platform, key, "test-work");
    const scope = { accountId: id, character: "ada" };
    const late = work("late");
    const [first] = await late.claim("brain", 1);
    await loseLease(platform, callId);
    await until(async () => (await row(platform, callId)).state === "queued");
    const other = work("other");
    const [second] = await other.claim("brain", 1);
    if (first === undefined || second === undefined) throw new Error("there was nothing to claim");
    expect(await late.end({ ...first, ...success(storeMemory(scope, "late").effect) })).toBe("stale");
    expect(await contentsOf(id)).toEqual([]);
    const end = { ...second, ...success(storeMemory(scope, "good").effect) };
    expect(await other.end(end)).toBe("ended");
    expect(await other.end(end)).toBe("stale");
    expect(await late.end({ ...first, ...success(storeMemory(scope, "later").effect) })).toBe("stale");
    expect(await memoriesOf(platform, id)).toMatchObject([{ character: "ada", content: "good" }]);
    expect(await row(platform, callId)).toMatchObject({ tokens_prompt: 7, tokens_completion: 3 });
    expect(await entries(platform, id)).toEqual([["charge", -2]]);
  });

  it("is not made when the call fails", async () => {
    const { id, key } = await platform.account(10);
    const failing = await begin(platform, key, "test-work");
    const worker = work("failing");
    const [call] = await worker.claim("brain", 1);
    if (call === undefined) throw new Error("there was nothing to claim");
    const effects = [storeMemory({ accountId: id, character: "" }, "never").effect];
    const failure = { error_code: "upstream_failed", error_message: "", input_fault: false, effects };
    await worker.end({ ...call, ...failure, state: "failed" });
    expect(await ended(platform, key, failing)).toMatchObject({ status: "failed", refunded: true });
    expect(await contentsOf(id)).toEqual([]);
  });
});

describe("recalls of one memory at the same time", () => {
  it("are all counted, and none waits for another", async () => {
    const { id, key } = await platform.account(200);
    const ids = await plant(platform, id, [{ content: "hot" }, { content: "hotter" }]);
    // A transaction that holds both rows all the time, as the end of a queued call would for a moment.
    const holder = new pg.Client({ connectionString: platform.database.url });
    await holder.connect();
    await holder.query("begin");
    await holder.query("select from memories where account_id = $1 for update", [id]);
    const recalls = Array.from({ length: 40 }, () => post(key, { query: "hot" }));
    expect((await Promise.all(recalls)).every(({ status }) => status === 200)).toBe(true);
    await holder.query("rollback");
    await holder.end();
    await post(key, { query: "hotter" });
    const counts = (await memoriesOf(platform, id)).map(({ recalls: count }) => count);
    expect(counts).toEqual([40, 41]);
    const left = "select from memory_recalls where memory_id = $1";
    expect(await platform.database.owner.query(left, [ids[1]])).toEqual([]);
  });

  it("count nothing of another account, whatever ids an effect names", async () => {
    const [owner, stranger] = [await platform.account(10), await platform.account(10)];
    const [memory = ""] = await plant(platform, owner.id, [{ content: "mine" }]);
    const callId = await begin(platform, stranger.key, "test-work");
    const worker = work("stranger");
    const [call] = await worker.claim("brain", 1);
    if (call === undefined) throw new Error("there was nothing to claim");
    await worker.end({
      ...call,
      ...success(countRecall([{ id: memory, content: "", created: new Date() }])),
    });
    expect(await ended(platform, stranger.key, callId)).toMatchObject({ status: "succeeded" });
    expect(await memoriesOf(platform, owner.id)).toMatchObject([{ recalls: 0 }]);
  });
});

describe("mind", () => {
  it("is 0 without memories, and 1 more for each that was just stored", async () => {
    const { key } = await platform.account(10);
    expect(await mind(key)).toBe(0);
    await post(key, { content: "one" });
    await post(key, { content: "two" });
    expect(await mind(key)).toBe(2);
  });

  it("is the sum of weight * 0.5^(age in days / 30) over all scopes, with recalls that are noted beside", async () => {
    const { id, key } = await platform.account(10);
    const planted = [
      { content: "new" },
      { content: "old", ageDays: 30, recalls: 3 },
      { content: "older", ageDays: 45.5, character: "ada" },
      { content: "ancient", ageDays: 1_000, recalls: 100, character: "grace" },
    ];
    const [noted] = await plant(platform, id, planted);
    const recall =
      "select effect_memory_recall('call_none', $1, jsonb_build_object('ids', jsonb_build_array($2::text)))";
    const { owner } = platform.database;
    const held = new pg.Client({ connectionString: platform.database.url });
    await held.connect();
    await held.query("begin");
    await held.query("select from memories where id = $1 for update", [noted]);
    await held.query("select from minds where account_id = $1 for update", [id]);
    await owner.query(recall, [id, noted]);
    expect(await owner.query("select from memory_recalls where memory_id = $1", [noted])).toHaveLength(1);
    expect(await owner.query("select from mind_changes where account_id = $1", [id])).toHaveLength(1);
    await held.query("commit");
    await held.end();
    await owner.query(recall, [id, noted]);
    expect(await owner.query("select from mind_changes where account_id = $1", [id])).toEqual([]);
    const weights = [3, 4, 1, 101];
    const expected = planted.reduce(
      (sum, { ageDays = 0 }, nth) => sum + (weights[nth] ?? 0) * 0.5 ** (ageDays / 30),
      0,
    );
    expect(await mind(key)).toBe(Math.round(expected * 1_000) / 1_000);
    await owner.query("delete from memories where id = $1", [noted]);
    expect(await mind(key)).toBeCloseTo(expected - 3, 2);
  });

  it("halves in 30 days", async () => {
    const { id, key } = await platform.account(10);
    await plant(platform, id, [{ content: "one", recalls: 7 }]);
    await platform.database.owner.query(
      "update minds set at = at - interval '60 days' where account_id = $1",
      [id],
    );
    expect(await mind(key)).toBe(2);
  });
});
