import { afterAll, beforeAll, expect, it } from "vitest";
import { StreamQuota } from "../../src/core/streams/stream-quota.ts";
import { begin } from "../support/calls.ts";
import { follow } from "../support/event-stream.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { until } from "../support/until.ts";
import { changeLimits } from "../support/limits.ts";

const MAX = 5;
// What is open counts, however long the machine keeps this process from saying that it lives.
changeLimits({ streamLeaseMs: 600_000 });

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ env: { MAX_STREAMS_PER_ACCOUNT: String(MAX) }, pools: [] });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

/** An account with a call that waits, and stays so. */
async function waitingCall(): Promise<{ id: string; key: string; callId: string }> {
  const account = await platform.account(10);
  return { ...account, callId: await begin(platform, account.key, "test-long") };
}

const open = (key: string, callId: string) => platform.request("GET", `/api/calls/${callId}/events`, { key });

const fill = async (key: string, callId: string, count = MAX) =>
  await Promise.all(Array.from({ length: count }, () => follow(platform, key, callId)));

it("refuses a stream past the account's limit with 429, and none of another account", async () => {
  const [one, two] = [await waitingCall(), await waitingCall()];
  const streams = await fill(one.key, one.callId);
  const refused = await open(one.key, one.callId);
  expect(refused).toMatchObject({ status: 429, body: { error: "too_many_streams" } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await platform.request("GET", `/api/calls/${one.callId}`, { key: one.key })).status).toBe(202);
  const others = await fill(two.key, two.callId, 1);

  streams[0]?.kill();
  await until(async () => {
    const [stream] = await fill(one.key, one.callId, 1).catch(() => []);
    if (stream !== undefined) streams.push(stream);
    return stream !== undefined;
  });
  expect(await open(one.key, one.callId)).toMatchObject({ status: 429 });
  for (const stream of [...streams, ...others]) stream.kill();
});

it("never opens more than the limit, however many ask at once", async () => {
  const { key, callId } = await waitingCall();
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => follow(platform, key, callId).catch(() => null)),
  );
  const opened = answers.filter((answer) => answer !== null);
  expect(opened).toHaveLength(MAX);
  for (const stream of opened) stream.kill();
});

it("counts what other processes hold", async () => {
  const { id, key, callId } = await waitingCall();
  const other = new StreamQuota(platform.database.app, (error) => {
    throw error;
  });
  const releases: (() => void)[] = [];
  for (let nth = 1; nth < MAX; nth++) releases.push(await other.open({ scope: id, max: MAX }));
  const [own] = await fill(key, callId, 1);
  expect(await open(key, callId)).toMatchObject({ status: 429 });
  await expect(other.open({ scope: id, max: MAX })).rejects.toMatchObject({ code: "too_many_streams" });
  releases[0]?.();
  const [second] = await until(async () => await fill(key, callId, 1).catch(() => null));
  expect(await open(key, callId)).toMatchObject({ status: 429 });
  await other.close();
  const streams = await fill(key, callId, MAX - 2);
  for (const stream of [own, second, ...streams]) stream?.kill();
});

it("counts what a process holds no longer than its lease, as when it was killed", async () => {
  const { id, key, callId } = await waitingCall();
  const { owner } = platform.database;
  const ids = Array.from({ length: MAX }, (_, nth) => `of a killed process ${nth}`);
  const scopes = ids.map(() => id);
  await owner.query("select hold_streams('killed', 600000, $1, $2)", [ids, scopes]);
  expect(await open(key, callId)).toMatchObject({ status: 429 });
  await owner.query(
    "update stream_holders set leased_until = clock_now() - interval '1 ms' where holder = 'killed'",
  );
  const streams = await fill(key, callId);
  for (const stream of streams) stream.kill();
  // Whoever gives a sign of life forgets, at last, what others have left.
  await owner.query(
    "update stream_holders set leased_until = clock_now() - interval '2 minutes' where holder = 'killed'",
  );
  await owner.query("select hold_streams('another', 1000, '{}', '{}')");
  expect(await owner.query("select from open_streams where holder = 'killed'")).toEqual([]);
});

it("knows again what is open after the server has lost the rows, as in a crash", async () => {
  const { key, callId } = await waitingCall();
  const streams = await fill(key, callId);
  await platform.database.owner.query("truncate stream_holders, open_streams");
  expect(await open(key, callId)).toMatchObject({ status: 429 });
  for (const stream of streams) stream.kill();
  await until(async () => {
    const [row] = await platform.database.owner.query<{ open: number }>(
      "select count(*) as open from open_streams",
    );
    return row?.open === 0;
  });
});

it("counts no stream that has nothing to tell or does not begin", async () => {
  const { key, callId } = await waitingCall();
  await platform.request("POST", `/api/calls/${callId}/cancel`, { key });
  for (let nth = 0; nth <= 2 * MAX; nth++) {
    const past = await platform.request("GET", `/api/calls/${callId}/events?lastEventId=2`, { key });
    expect(past.status).toBe(204);
    const wrong = await platform.request("GET", `/api/calls/${callId}/events?lastEventId=x`, { key });
    expect(wrong.status).toBe(400);
    const head = await platform.request("HEAD", `/api/calls/${callId}/events`, { key });
    expect(head.status).toBe(405);
  }
});
