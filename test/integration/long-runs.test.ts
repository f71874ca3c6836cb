import { afterAll, beforeAll, expect, it } from "vitest";
import { LIMITS } from "../../src/core/limits.ts";
import { begin, entries, row } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { until } from "../support/until.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ limits: {} });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

/** With a sweep after the lease, and before the run's end. */
const LONGER_THAN_A_LEASE_MS = LIMITS.leaseMs + 2 * LIMITS.sweepMs;

it("runs a call once that takes longer than its worker's lease", async () => {
  const { id, key } = await platform.account(10);
  const callId = await begin(platform, key, "test-long", { ms: LONGER_THAN_A_LEASE_MS });
  const over = await until(async () => {
    const call = await row(platform, callId);
    return (call.ended_at !== null || call.attempt > 1) && call;
  });
  expect(over).toMatchObject({ state: "succeeded", attempt: 1 });
  expect(await entries(platform, id)).toEqual([["charge", -3]]);
});
