import { afterEach, beforeEach, expect, it } from "vitest";
import { ASYNC } from "../support/calls.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeEach(async () => {
  platform = await startTestPlatform({ pools: [] });
});
afterEach(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

const call = (key: string): Promise<Answer> =>
  platform.request("POST", "/api/call/test-work", { key, body: {}, headers: ASYNC });

/** A worker that takes nothing, as far as the database knows. */
const pretendWorker = (slots: number): Promise<unknown> =>
  platform.database.owner.query(
    "insert into workers values ('pretended', 'brain', $1, 0, clock_timestamp() + interval '1 hour')",
    [slots],
  );

const measured = (runs: readonly number[], ageS = 0): Promise<unknown> =>
  platform.database.owner.query(
    `insert into pool_ends values
       ('brain', 0, 0, clock_timestamp() - $2 * interval '1 second', $3, 0, '{}', $1)`,
    [runs, ageS, runs.length],
  );

it("counts the place of the only account that waits, from 1", async () => {
  const { key } = await platform.account(20);
  const places = [];
  for (let n = 0; n < 3; n++) places.push((await call(key)).body.queue.position);
  expect(places).toEqual([1, 2, 3]);
});

it("counts those that others have before it, and not their empty lanes", async () => {
  const [one, other] = [await platform.account(20), await platform.account(20)];
  const first = await call(other.key);
  await platform.request("POST", `/api/calls/${first.body.call_id}/cancel`, { key: other.key });
  expect((await call(one.key)).body.queue.position).toBe(1);
  expect((await call(one.key)).body.queue.position).toBe(2);
  expect((await call(other.key)).body.queue.position).toBe(2);
});

it("reckons when a call is done from what its pool measured, its place and the free slots", async () => {
  await pretendWorker(2);
  await measured([2_000, 3_000, 60_000]);
  const { key } = await platform.account(20);
  const etas = [];
  for (let n = 0; n < 4; n++) etas.push((await call(key)).body.queue.eta_ms);
  // Two begin at once; then a slot comes free every 1.5 s.
  expect(etas).toEqual([3_000, 3_000, 4_500, 6_000]);
});

it.each([
  ["nothing was measured", () => pretendWorker(2)],
  ["what was measured is old", () => Promise.all([pretendWorker(2), measured([2_000], 3_600)])],
  ["no worker serves the pool", () => measured([2_000])],
])("says nothing of when where %s", async (_why, prepare) => {
  await prepare();
  const { key } = await platform.account(20);
  const { body, headers } = await call(key);
  expect(body.queue).toEqual({ position: 1, eta_ms: null });
  expect(body.poll_after_ms).toBe(1_000);
  expect(headers.get("retry-after")).toBe("1");
});

it.each([
  [20, 500, "1"],
  [2_300, 2_300, "3"],
  [600_000, 10_000, "10"],
])("says in Retry-After what poll_after_ms says: runs of %i ms", async (runMs, pollAfterMs, retryAfter) => {
  await pretendWorker(1);
  await measured([runMs]);
  const { key } = await platform.account(20);
  const made = await call(key);
  const seen = await platform.request("GET", `/api/calls/${made.body.call_id}`, { key });
  for (const { status, body, headers } of [made, seen]) {
    expect(status).toBe(202);
    expect(body.queue.eta_ms).toBe(runMs);
    expect(body.poll_after_ms).toBe(pollAfterMs);
    expect(headers.get("retry-after")).toBe(retryAfter);
  }
  const { body } = await platform.request("GET", "/api/calls", { key });
  expect(body.calls[0]).toMatchObject({ queue: { position: 1, eta_ms: runMs }, poll_after_ms: pollAfterMs });
});

it("says of a running call what is left, and nothing once it takes longer than most", async () => {
  await measured([500_000]);
  const { key } = await platform.account(20);
  const { call_id: id } = (await call(key)).body;
  const running = (agoS: number): Promise<unknown> =>
    platform.database.owner.query(
      `update calls set state = 'running', worker = 'pretended', lease_until = clock_timestamp() + interval '1 hour',
              run_until = clock_timestamp() + interval '1 hour', started_at = clock_timestamp() - $2 * interval '1 second'
        where id = $1`,
      [id, agoS],
    );
  const look = async (): Promise<number | null> =>
    (await platform.request("GET", `/api/calls/${id}`, { key })).body.queue.eta_ms;
  await platform.database.owner.query("update lanes set queued = queued - 1, running = running + 1");
  await running(100);
  const left = await look();
  expect(left).toBeLessThanOrEqual(400_000);
  expect(left).toBeGreaterThan(300_000);
  await running(600);
  expect(await look()).toBeNull();
});
