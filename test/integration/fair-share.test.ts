import { afterAll, beforeAll, expect, it } from "vitest";
import { createSettle, type Settlement } from "../../src/core/calls/settle.ts";
import { Work } from "../../src/core/calls/work.ts";
import { sha256Hex } from "../../src/core/canonical.ts";
import { newId } from "../../src/core/ids.ts";
import { begin, ended } from "../support/calls.ts";
import { release, runs } from "../support/capabilities/test-work/handler.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { until } from "../support/until.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

/** Puts calls of an account into a pool, oldest first. */
async function queue(accountId: string, pool: string, count: number, priority = 0): Promise<void> {
  const settle = createSettle(platform.runtime.db, 10_000);
  const item = (): Settlement => ({
    id: newId("call"),
    account_id: accountId,
    key_id: null,
    slug: "test-work",
    version: "1.0.0",
    pool,
    priority,
    price: 1,
    currency: "MESH",
    state: "queued",
    max_attempts: 3,
    timeout_ms: 60_000,
    deadline_ms: 60_000,
    input: "{}",
    input_sha256: sha256Hex("{}"),
    idempotency_key: null,
    request_sha256: null,
  });
  const verdicts = await Promise.all(Array.from({ length: count }, () => settle(item())));
  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["accepted"]));
}

const work = (): Work => new Work(platform.runtime.db, "the only worker");

it("takes another account's first call next, however many of one account wait before it", async () => {
  const [busy, modest] = [await platform.account(1_000), await platform.account(10)];
  await queue(busy.id, "image", 200);
  await work().claim("image", 4);
  await queue(modest.id, "image", 1);
  const next = await work().claim("image", 1);
  expect(next.map(({ accountId }) => accountId)).toEqual([modest.id]);
  const rest = await work().claim("image", 3);
  expect(rest.map(({ accountId }) => accountId)).toEqual([busy.id, busy.id, busy.id]);
});

it("shares many free slots evenly between those who wait", async () => {
  const accounts = [await platform.account(100), await platform.account(100), await platform.account(100)];
  for (const { id } of accounts) await queue(id, "forward", 10);
  const taken = await work().claim("forward", 9);
  for (const { id } of accounts) expect(taken.filter(({ accountId }) => accountId === id)).toHaveLength(3);
});

it("evens out what runs: whoever has the fewest running is next", async () => {
  const [one, two] = [await platform.account(100), await platform.account(100)];
  await queue(one.id, "fusion", 20);
  await work().claim("fusion", 6);
  await queue(two.id, "fusion", 20);
  const taken = await work().claim("fusion", 8);
  // 6 and 0 become 7 and 7.
  expect(taken.filter(({ accountId }) => accountId === two.id)).toHaveLength(7);
  expect(taken.filter(({ accountId }) => accountId === one.id)).toHaveLength(1);
});

it("takes a higher priority before every share, and each lane in its own order", async () => {
  const [one, two] = [await platform.account(100), await platform.account(100)];
  await queue(one.id, "system", 3);
  await queue(two.id, "system", 2);
  await queue(one.id, "system", 2, 5);
  const taken = await work().claim("system", 7);
  const rows = await platform.database.owner.query<{ id: string; priority: number; account_id: string }>(
    "select id, priority, account_id from calls where pool = 'system' order by priority desc, id",
  );
  const priorityOf = new Map(rows.map(({ id, priority }) => [id, priority]));
  expect(taken.filter(({ id }) => priorityOf.get(id) === 5)).toHaveLength(2);
  const again = await work().claim("system", 7);
  expect(again).toEqual([]);
});

it("gives one account at most half of a pool's slots while others wait, whatever its priority", async () => {
  const [first, modest] = [await platform.account(100), await platform.account(100)];
  await platform.database.owner.query(
    "insert into workers (name, pool, slots, running, seen_at) values ('w', 'text', 6, 0, clock_now() + interval '1 hour')",
  );
  await queue(first.id, "text", 20, 5);
  await queue(modest.id, "text", 2);
  const ofFirst = (calls: Awaited<ReturnType<Work["claim"]>>): number =>
    calls.filter(({ accountId }) => accountId === first.id).length;
  expect(ofFirst(await work().claim("text", 4))).toBe(3);
  // One of the other's is left, and after it nobody else waits.
  expect(ofFirst(await work().claim("text", 1))).toBe(0);
  expect(ofFirst(await work().claim("text", 1))).toBe(1);
});

it("takes an account's own calls in the order in which they came", async () => {
  const { id } = await platform.account(100);
  for (let i = 0; i < 6; i++) await queue(id, "brain-large", 1);
  const order: string[] = [];
  for (let i = 0; i < 6; i++) order.push(...(await work().claim("brain-large", 1)).map((call) => call.id));
  expect(order).toEqual([...order].sort());
  expect(order).toHaveLength(6);
});

it("gives each waiting call to one worker only, however many claim at once", async () => {
  const { id } = await platform.account(1_000);
  await queue(id, "cam", 100);
  const claims = await Promise.all(
    Array.from({ length: 20 }, (_, i) => new Work(platform.runtime.db, `worker ${i}`).claim("cam", 10)),
  );
  const ids = claims.flat().map((call) => call.id);
  expect(ids).toHaveLength(100);
  expect(new Set(ids).size).toBe(100);
});

it("tells each who waits its place, and no time of arrival while no worker serves the pool", async () => {
  const [one, two] = [await platform.account(20), await platform.account(20)];
  const ids = [
    await begin(platform, one.key, "test-patient"),
    await begin(platform, one.key, "test-patient"),
    await begin(platform, two.key, "test-patient"),
  ];
  const keys = [one.key, one.key, two.key];
  const looks = await Promise.all(
    ids.map((id, i) => platform.request("GET", `/api/calls/${id}`, { key: keys[i] ?? "" })),
  );
  expect(looks.map(({ status }) => status)).toEqual([202, 202, 202]);
  const [first, second, other] = looks.map(({ body }) => body.queue);
  // Which of the two accounts is asked first is open; the other's only call comes before the second of the one with two.
  expect(first).toEqual({ position: 2, eta_ms: null });
  expect(second.position).toBe(3);
  expect(other.position).toBe(2);
});

it("serves the first call of another account while one account's backlog is worked off", async () => {
  const [busy, modest] = [await platform.account(1_000), await platform.account(10)];
  const backlog = await Promise.all(
    Array.from({ length: 150 }, () => begin(platform, busy.key, "test-work", { mode: "hold" })),
  );
  const server = await platform.addWorker([{ pool: "brain", slots: 4 }]);
  const running = await until(() => {
    const begun = backlog.filter((callId) => runs.has(callId));
    return begun.length === 4 && begun;
  });
  const first = await begin(platform, modest.key, "test-work");
  release(running[0] ?? "");
  expect(await ended(platform, modest.key, first)).toMatchObject({ status: "succeeded" });
  const [left] = await platform.database.owner.query<{ queued: number }>(
    "select count(*)::integer as queued from calls where account_id = $1 and state = 'queued'",
    [busy.id],
  );
  expect(left?.queued).toBeGreaterThan(100);
  await server.drain(0);
});
