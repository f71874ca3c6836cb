import { bodyOf } from "../../src/core/calls/prepare.ts";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seededRandom } from "../../src/core/seeded-random.ts";
import { createServices } from "../../src/platform/api.ts";
import { createRuntime, type Runtime } from "../../src/platform/runtime.ts";
import type { MarketplaceServices } from "../../src/http/marketplace/services.ts";
import { balance, entries, row } from "../support/calls.ts";
import { startTestPlatform, type Answer, type TestPlatform } from "../support/platform.ts";

const CALLERS = 64;
const FUNDS = 1_000;

let platform: TestPlatform;
let second: { readonly runtime: Runtime; readonly services: MarketplaceServices };
beforeAll(async () => {
  platform = await startTestPlatform();
  const runtime = await createRuntime(platform.runtime.config, platform.database.url, "second api");
  second = { runtime, services: await createServices(runtime) };
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  expect(await deadlocks()).toBe(0);
  await second.runtime.close();
  await platform.stop();
});

type Body = { readonly mode?: string; readonly purse: string; readonly to?: string; readonly coins?: number };

const call = (key: string, body: Body, headers: Record<string, string> = {}): Promise<Answer> =>
  platform.request("POST", "/api/call/test-state", { key, body, headers });

/** A call through the second API, which has connections and lists of its own. */
async function callFar(accountId: string, body: Body): Promise<string> {
  const { call } = await second.services.calls.start({
    caller: { accountId, keyId: "key_far" },
    surface: "marketplace",
    name: "test-state",
    body: bodyOf(body),
    waitMs: 0,
    idempotencyKey: null,
    maxPrice: null,
  });
  return call.state;
}

async function deadlocks(): Promise<number> {
  const [found] = await platform.database.owner.query<{ deadlocks: number }>(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  return found?.deadlocks ?? Number.NaN;
}

async function purse(key: string): Promise<{ version: number; coins: number; changes: number } | undefined> {
  const [found] = await platform.database.owner.query<{ version: number; body: string | null }>(
    "select version, body from documents where kind = 'test-purse' and key = $1",
    [key],
  );
  if (found === undefined) return undefined;
  return {
    version: found.version,
    ...(JSON.parse(found.body ?? "{}") as { coins: number; changes: number }),
  };
}

let purses = 0;
const newPurse = (): string => `purse ${process.pid} ${purses++}`;

it("loses and doubles no change of 64 callers on one document, over two processes", async () => {
  const { id, key } = await platform.account(FUNDS);
  const shared = newPurse();
  const near = Array.from({ length: CALLERS / 2 }, () => call(key, { purse: shared }));
  const far = Array.from({ length: CALLERS / 2 }, () => callFar(id, { purse: shared }));
  expect((await Promise.all(near)).map(({ status }) => status)).toEqual(near.map(() => 200));
  expect(await Promise.all(far)).toEqual(far.map(() => "succeeded"));
  expect(await purse(shared)).toEqual({ version: CALLERS, coins: CALLERS, changes: CALLERS });
  expect(await balance(platform, id)).toBe(FUNDS - CALLERS);
});

it("shows each of those callers a state of its own, in the order in which they were settled", async () => {
  const accounts = await Promise.all(Array.from({ length: 4 }, () => platform.account(FUNDS)));
  const shared = newPurse();
  const answers = await Promise.all(
    Array.from({ length: CALLERS }, (_, n) => call(accounts[n % 4]?.key ?? "", { purse: shared })),
  );
  const seen = answers.map(({ body }) => body.result.changes as number);
  expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: CALLERS }, (_, n) => n + 1));
});

it("keeps the sum of crossing pairs, whoever moves between them and wherever", async () => {
  const { id, key } = await platform.account(1_000_000);
  const pair = fc.uniqueArray(fc.nat(3), { minLength: 2, maxLength: 2 });
  const move = fc.record({ pair, coins: fc.integer({ min: 1, max: 9 }), far: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: CALLERS, maxLength: CALLERS }), async (moves) => {
      const names = Array.from({ length: 4 }, newPurse);
      const expected = names.map(() => ({ version: 0, coins: 0, changes: 0 }));
      const states = await Promise.all(
        moves.map(async ({ pair: [from = 0, to = 0], coins, far }) => {
          const body = { mode: "move", purse: names[from] ?? "", to: names[to] ?? "", coins };
          for (const [nth, delta] of [
            [from, -coins],
            [to, coins],
          ] as const) {
            const before = expected[nth];
            if (before === undefined) throw new Error("there is no such purse");
            before.version++;
            before.changes++;
            before.coins += delta;
          }
          return far ? await callFar(id, body) : (await call(key, body)).body.outcome;
        }),
      );
      expect(new Set(states)).toEqual(new Set(["succeeded"]));
      const found = await Promise.all(names.map(purse));
      expect(found.map((one) => one ?? { version: 0, coins: 0, changes: 0 })).toEqual(expected);
    }),
    { numRuns: 8, endOnFailure: true },
  );
});

it("refuses nobody for contention: of those who take what there is, exactly as many get it as there is", async () => {
  const { id, key } = await platform.account(FUNDS);
  const shared = newPurse();
  await call(key, { purse: shared, coins: 20 });
  const take = { mode: "take", purse: shared, coins: 1 };
  const near = await Promise.all(Array.from({ length: 32 }, () => call(key, take)));
  expect(near.filter(({ status }) => status === 200)).toHaveLength(20);
  const refused = near.filter(({ status }) => status !== 200);
  expect(refused.map(({ status, body }) => [status, body.error])).toEqual(
    refused.map(() => [409, "not_enough_coins"]),
  );
  expect(await balance(platform, id)).toBe(FUNDS - 21);
});

it("makes no call and no entries of what the rules refuse", async () => {
  const { id, key } = await platform.account(FUNDS);
  const unknown = await call(key, { mode: "look", purse: newPurse() });
  expect(unknown).toMatchObject({ status: 404, body: { error: "unknown_purse" } });
  const twice = newPurse();
  await call(key, { mode: "open", purse: twice });
  expect(await call(key, { mode: "open", purse: twice })).toMatchObject({
    status: 409,
    body: { error: "purse_exists" },
  });
  expect(await entries(platform, id)).toEqual([["charge", -1]]);
  expect((await platform.request("GET", "/api/calls", { key })).body.calls).toHaveLength(1);
});

it.each([
  ["throw", 500, "internal_error"],
  ["garbled", 500, "internal_error"],
  ["large", 500, "internal_error"],
  ["fault", 422, "told_to_fault"],
])("refunds a call whose rules %s, and writes nothing", async (mode, status, error) => {
  const { id, key } = await platform.account(FUNDS);
  const shared = newPurse();
  const failed = await call(key, { mode, purse: shared });
  expect(failed).toMatchObject({ status, body: { error, refunded: true } });
  expect(await purse(shared)).toBeUndefined();
  expect(await entries(platform, id)).toEqual([
    ["charge", -1],
    ["refund", 1],
  ]);
});

it.each(["", "p".repeat(201)])("refuses a key that no document has: %j", async (purse) => {
  const { id, key } = await platform.account(10);
  const { status, body } = await platform.request("POST", "/api/call/test-state", { key, body: { purse } });
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: "invalid_input", message: expect.stringContaining("200 characters") });
  expect(await entries(platform, id)).toEqual([]);
});

it("lets rules that throw within a list cost their own call only", async () => {
  const { key } = await platform.account(FUNDS);
  const shared = newPurse();
  const modes = Array.from({ length: CALLERS }, (_, n) => ["add", "throw", "fault", "add"][n % 4]);
  const answers = await Promise.all(modes.map((mode = "add") => call(key, { mode, purse: shared })));
  expect(answers.map(({ status }) => status)).toEqual(
    modes.map((mode) => (mode === "add" ? 200 : mode === "throw" ? 500 : 422)),
  );
  expect(await purse(shared)).toEqual({ version: CALLERS / 2, coins: CALLERS / 2, changes: CALLERS / 2 });
});

it("lets those who cannot pay change nothing, and hold up nobody on the same document", async () => {
  const poor = await platform.account(3);
  const rich = await platform.account(FUNDS);
  const shared = newPurse();
  const answers = await Promise.all(
    Array.from({ length: CALLERS }, async (_, n) => {
      const { key } = n % 2 === 0 ? poor : rich;
      return { isPoor: n % 2 === 0, ...(await call(key, { purse: shared })) };
    }),
  );
  const paid = answers.filter(({ status }) => status === 200);
  expect(paid.filter(({ isPoor }) => isPoor)).toHaveLength(3);
  expect(paid.filter(({ isPoor }) => !isPoor)).toHaveLength(CALLERS / 2);
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(CALLERS / 2 - 3);
  expect(await purse(shared)).toMatchObject({ version: CALLERS / 2 + 3 });
});

it("answers a repeated Idempotency-Key with the first call, also where the rules would refuse now", async () => {
  const { id, key } = await platform.account(FUNDS);
  const shared = newPurse();
  const open = () => call(key, { mode: "open", purse: shared }, { "idempotency-key": shared });
  const [first, ...others] = await Promise.all(Array.from({ length: 8 }, open));
  const ids = new Set([first, ...others, await open()].map((answer) => answer?.body.call_id));
  expect(ids.size).toBe(1);
  expect(await entries(platform, id)).toEqual([["charge", -1]]);
  const other = await call(key, { purse: shared }, { "idempotency-key": shared });
  expect(other).toMatchObject({ status: 422, body: { error: "idempotency_mismatch" } });
});

it("writes nothing where nothing changed", async () => {
  const { key } = await platform.account(FUNDS);
  const shared = newPurse();
  await call(key, { purse: shared, coins: 5 });
  await Promise.all(Array.from({ length: 8 }, () => call(key, { mode: "look", purse: shared })));
  expect(await purse(shared)).toEqual({ version: 1, coins: 5, changes: 1 });
});

it("goes on counting the versions of a document that was removed, and gives it to who makes it anew", async () => {
  const [first, other] = [await platform.account(FUNDS), await platform.account(FUNDS)];
  const shared = newPurse();
  await call(first.key, { purse: shared });
  await call(first.key, { mode: "close", purse: shared });
  expect(await call(other.key, { mode: "look", purse: shared })).toMatchObject({ status: 404 });
  await call(other.key, { purse: shared });
  expect(await purse(shared)).toEqual({ version: 3, coins: 1, changes: 1 });
  const [owner] = await platform.database.owner.query("select account_id from documents where key = $1", [
    shared,
  ]);
  expect(owner).toEqual({ account_id: other.id });
});

it("gives the same numbers at random however often a call is decided", async () => {
  const { key } = await platform.account(FUNDS);
  const shared = newPurse();
  const rolls = await Promise.all(
    Array.from({ length: CALLERS }, () => call(key, { mode: "roll", purse: shared })),
  );
  expect(rolls.map(({ body }) => body.result.roll)).toEqual(
    rolls.map(({ body }) => seededRandom(body.call_id)()),
  );
});

it("settles such a call at once: it never waits in a pool", async () => {
  const { key } = await platform.account(FUNDS);
  const { body } = await call(key, { purse: newPurse() }, { prefer: "respond-async" });
  expect(body).toMatchObject({ done: true, outcome: "succeeded" });
  expect(await row(platform, body.call_id)).toMatchObject({ pool: "state", state: "succeeded", attempt: 0 });
});
