import { afterAll, beforeAll, expect, it } from "vitest";
import { type PoolStats, readPools } from "../../src/core/calls/pool-stats.ts";
import { POOLS } from "../../src/core/catalog/define.ts";
import { begin, ended, running } from "../support/calls.ts";
import { until } from "../support/until.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({
    pools: [
      { pool: "brain", slots: 3 },
      { pool: "cam", slots: 2 },
    ],
  });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

async function poolOf(name: string): Promise<PoolStats> {
  const found = (await readPools(platform.runtime.db)).find(({ pool }) => pool === name);
  if (found === undefined) throw new Error(`there are no numbers of ${name}`);
  return found;
}

it("names every pool, with the workers and slots that serve it", async () => {
  const pools = await readPools(platform.runtime.db);
  expect(pools.map(({ pool }) => pool)).toEqual([...POOLS]);
  expect(await poolOf("brain")).toMatchObject({ workers: 1, slots: 3 });
  expect(await poolOf("cam")).toMatchObject({ workers: 1, slots: 2 });
  expect(await poolOf("image")).toMatchObject({
    queued: 0,
    running: 0,
    oldest_age_ms: null,
    workers: 0,
    slots: 0,
    done_last_minute: 0,
    failed_last_minute: 0,
    wait_p50_ms: null,
    run_p99_ms: null,
  });
});

it("counts what runs, what waits, and how long the oldest has waited", async () => {
  const { key } = await platform.account(100);
  const ids = [];
  // They are ended by hand: none may be done before all have been seen.
  for (let i = 0; i < 5; i++) ids.push(await begin(platform, key, "test-long", { ms: 60_000 }));
  const busy = await until(async () => {
    const stats = await poolOf("brain");
    return stats.running === 3 && (stats.oldest_age_ms ?? 0) >= 300 && stats;
  });
  expect(busy).toMatchObject({ running: 3, queued: 2 });
  for (const id of ids.toReversed()) await platform.request("POST", `/api/calls/${id}/cancel`, { key });
  for (const id of ids) await ended(platform, key, id);
  expect(await poolOf("brain")).toMatchObject({ running: 0, queued: 0, oldest_age_ms: null });
});

it("counts what ended in the last minute, and how long it waited and ran", async () => {
  const { key } = await platform.account(100);
  const modes = ["echo", "echo", "echo", "spin"];
  const ids = [];
  for (const mode of modes) ids.push(await begin(platform, key, "test-cpu", { mode }));
  const spinning = ids.at(-1) ?? "";
  await running(platform, spinning);
  await platform.request("POST", `/api/calls/${spinning}/cancel`, { key });
  for (const id of ids) await ended(platform, key, id);
  const stats = await until(async () => {
    const seen = await poolOf("cam");
    return seen.done_last_minute + seen.failed_last_minute === modes.length && seen;
  });
  expect(stats).toMatchObject({ done_last_minute: 3, failed_last_minute: 1 });
  const { wait_p50_ms, wait_p99_ms, run_p50_ms, run_p99_ms } = stats;
  for (const time of [wait_p50_ms, wait_p99_ms, run_p50_ms, run_p99_ms])
    expect(time).toBeGreaterThanOrEqual(0);
  expect(wait_p99_ms).toBeGreaterThanOrEqual(wait_p50_ms ?? Number.NaN);
  expect(run_p99_ms).toBeGreaterThanOrEqual(run_p50_ms ?? Number.NaN);
});
