import { afterAll, beforeAll, expect, it } from "vitest";
import { retainResults } from "../../src/core/calls/retention.ts";
import { moveClock } from "../support/clock.ts";
import { follow } from "../support/event-stream.ts";
import { row } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

const DAYS = 30;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(async () => {
  await platform.stop();
});

const kept = async (): Promise<{ outputs: number; events: number; partitions: number }> => {
  const [counts] = await platform.database.owner.query<{
    outputs: number;
    events: number;
    partitions: number;
  }>(
    `select (select count(*) from call_outputs) as outputs, (select count(*) from events) as events,
            (select count(*) from pg_inherits where inhparent = 'events'::regclass) as partitions`,
  );
  return counts ?? { outputs: Number.NaN, events: Number.NaN, partitions: Number.NaN };
};

it("lets results go when their time is over, and answers for calls of a year ago as before, without them", async () => {
  const { owner, app } = platform.database;
  const account = await platform.account(20);
  const { key } = account;
  const call = async (slug: string, body: object) =>
    (await platform.request("POST", `/api/call/${slug}`, { key, body })).body;
  const inline = await call("test-inline", { text: "a" });
  const worked = await call("test-work", { text: "b" });
  const failed = await call("test-work", { mode: "fault" });
  expect([inline.status, worked.status, failed.status]).toEqual(["succeeded", "succeeded", "failed"]);
  const rowBefore = await row(platform, worked.call_id);

  expect(await retainResults(app, DAYS)).toBe(0);
  const before = await kept();
  expect(before).toMatchObject({ outputs: 2, partitions: expect.any(Number) });
  expect((await platform.request("GET", `/api/calls/${worked.call_id}`, { key })).body).toEqual({
    ...worked,
    duration_ms: expect.any(Number),
  });

  await moveClock(owner, "1 year");
  // A host whose clock did not move along makes calls with ids of last year, also after those weeks are gone.
  expect(await retainResults(app, DAYS)).toBeGreaterThan(0);
  const behind = await call("test-work", { text: "c" });
  expect(behind).toMatchObject({ outcome: "succeeded", result: { text: "c" } });
  expect(await platform.database.violations()).toBe(0);
  expect((await kept()).outputs).toBe(1);

  for (const [{ call_id }, was] of [
    [inline, inline],
    [worked, worked],
  ]) {
    const { status, body } = await platform.request("GET", `/api/calls/${call_id}`, { key });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...was,
      balance: behind.balance,
      duration_ms: expect.any(Number),
      result: null,
      result_expired: true,
    });
    expect((await follow(platform, key, call_id)).status).toBe(204);
  }
  const { body: stillFailed } = await platform.request("GET", `/api/calls/${failed.call_id}`, { key });
  expect(stillFailed).toMatchObject({ outcome: "failed", error: failed.error, refunded: true });
  expect(stillFailed).not.toHaveProperty("result_expired");
  const after = await row(platform, worked.call_id);
  expect(after).toEqual({ ...rowBefore, output: null, output_lz4: null, output_ref: null });

  await moveClock(owner, "2 years");
  await retainResults(app, DAYS);
  expect(await kept()).toMatchObject({ outputs: 0, events: 0 });
  expect(await platform.database.violations()).toBe(0);
  const { body: gone } = await platform.request("GET", `/api/calls/${behind.call_id}`, { key });
  expect(gone).toMatchObject({ outcome: "succeeded", result: null, result_expired: true });
  const { body: ledger } = await platform.request("GET", "/api/account/ledger", { key });
  expect(ledger.entries.length).toBeGreaterThanOrEqual(5);
});
