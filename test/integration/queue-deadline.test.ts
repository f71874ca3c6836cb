import { afterAll, beforeAll, expect, it } from "vitest";
import { begin, ended, entries } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

it("expires a call that waits past its deadline, refunded", async () => {
  const { id, key } = await platform.account(10);
  // No worker serves its pool, and it may take 1.2 s in all.
  const callId = await begin(platform, key, "test-brief");
  const end = await ended(platform, key, callId);
  expect(end).toMatchObject({
    ok: false,
    error: "deadline_exceeded",
    status: "expired",
    done: true,
    outcome: "expired",
    refunded: true,
    balance: 10,
  });
  expect(end.duration_ms).toBeGreaterThanOrEqual(1_200);
  expect(await entries(platform, id)).toEqual([
    ["charge", -3],
    ["refund", 3],
  ]);
});
