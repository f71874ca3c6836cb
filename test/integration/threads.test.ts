import { afterAll, beforeAll, expect, it } from "vitest";
import type { Runner } from "../../workers/runner.ts";
import { createThreadRunner } from "../../workers/thread-runner.ts";
import { POOL_SETTINGS, type ThreadLimits } from "../../src/core/calls/pools.ts";
import type { Outcome } from "../../src/core/calls/execute.ts";
import { entries } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

/** What no computation takes, however busy the machine, that ends by itself or fills a memory as small as this. */
const PATIENT: Partial<ThreadLimits> = { timeMs: 120_000, heapMb: 64, buffersMb: 64 };
/** Longer than a thread takes to start and to echo. */
const BRIEF: Partial<ThreadLimits> = { timeMs: 10_000 };

/** Serves the pool with other limits while `act` lasts. */
async function withThreads(limits: Partial<ThreadLimits>, act: () => Promise<void>): Promise<void> {
  const { threads } = POOL_SETTINGS.cam;
  const usual = { ...threads };
  Object.assign(threads ?? {}, limits);
  const server = await platform.addWorker([{ pool: "cam", slots: 4 }]);
  try {
    await act();
  } finally {
    await server.drain(0);
    Object.assign(threads ?? {}, usual);
  }
}

const compute = (key: string, mode: string) =>
  platform.request("POST", "/api/call/test-cpu", { key, body: { mode, text: mode } });

/** Ends badly alone, its price given back, while calls beside and after it go on. */
async function expectItAloneToFail(mode: string): Promise<{ durationMs: number; message: string }> {
  const { id, key } = await platform.account(10);
  const neighbour = await platform.account(100);
  const bad = compute(key, mode);
  const beside = [];
  for (let i = 0; i < 2; i++) beside.push(await compute(neighbour.key, "echo"));
  const { status, body } = await bad;
  const after = await compute(neighbour.key, "echo");
  for (const good of [...beside, after])
    expect(good).toMatchObject({ status: 200, body: { result: { text: "echo" } } });
  expect(status).toBe(500);
  expect(body).toMatchObject({ status: "failed", error: "internal_error", refunded: true, balance: 10 });
  expect(await entries(platform, id)).toEqual([
    ["charge", -2],
    ["refund", 2],
  ]);
  return { durationMs: body.duration_ms, message: body.message };
}

it("ends a computation without end after ten seconds, and no other", async () => {
  expect(POOL_SETTINGS.cam.threads).toMatchObject(BRIEF);
  await withThreads(BRIEF, async () => {
    const { durationMs, message } = await expectItAloneToFail("spin");
    expect(durationMs).toBeGreaterThanOrEqual(10_000);
    expect(message).toContain("10 s");
  });
});

it.each([
  ["its heap", "heap"],
  ["the memory outside its heap", "buffers"],
])("ends a computation that fills %s, and no other", async (_what, mode) => {
  await withThreads(PATIENT, async () => {
    const { message } = await expectItAloneToFail(mode);
    expect(message).toContain("memory");
  });
});

it("survives a handler that ends its process", async () => {
  await withThreads(PATIENT, async () => void (await expectItAloneToFail("exit")));
});

it("goes on after many bad computations in a row", async () => {
  const { key } = await platform.account(100);
  await withThreads(PATIENT, async () => {
    const bad = await Promise.all(Array.from({ length: 3 }, () => compute(key, "exit")));
    expect(new Set(bad.map(({ status }) => status))).toEqual(new Set([500]));
    const good = await Promise.all(Array.from({ length: 3 }, () => compute(key, "echo")));
    expect(new Set(good.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

it("says of a run whether time or memory ended it", async () => {
  const { runtime } = platform;
  const limits = { timeMs: 120_000, heapMb: 64, buffersMb: 64 };
  const patient = createThreadRunner(runtime, limits, 1);
  const brief = createThreadRunner(runtime, { ...limits, timeMs: 1_500 }, 1);
  const capability = runtime.catalog.bySlug("test-cpu");
  if (capability === undefined) throw new Error("there is no test-cpu");
  const run = async (runner: Runner, mode: string): Promise<Outcome> =>
    await runner.run({
      capability,
      call: {
        id: `call_${"0".repeat(32)}`,
        accountId: "acc_of_the_test",
        slug: "test-cpu",
        version: "1.0.0",
        attempt: 1,
        input: JSON.stringify({ mode, text: mode }),
        requestId: null,
        traceparent: null,
        warnings: [],
        waitedMs: 0,
        parentId: null,
        leftMs: 120_000,
      },
      signal: new AbortController().signal,
      progress: () => undefined,
    });
  try {
    expect(await run(patient, "echo")).toMatchObject({ state: "succeeded", output: '{"text":"echo"}' });
    expect(await run(brief, "spin")).toMatchObject({
      state: "failed",
      message: expect.stringContaining("1.5 s"),
    });
    expect(await run(patient, "heap")).toMatchObject({
      state: "failed",
      message: expect.stringContaining("memory"),
    });
    expect(await run(patient, "echo")).toMatchObject({ state: "succeeded" });
  } finally {
    await Promise.all([patient.close(), brief.close()]);
  }
});
