import { afterAll, beforeAll, expect, it } from "vitest";
import { begin, ended, entries, row } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [{ pool: "brain", slots: 4 }] });
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
  expect(end.duration_ms).toBeLessThan(1_200 + 2_000);
  expect(await entries(platform, id)).toEqual([
    ["charge", -3],
    ["refund", 3],
  ]);
});

it("answers 504 to who waits for a call that runs past its time", async () => {
  const { id, key } = await platform.account(10);
  const { status, body } = await platform.request("POST", "/api/call/test-work", {
    key,
    body: { mode: "sleep", ms: 10_000 },
  });
  expect(status).toBe(504);
  expect(body).toMatchObject({
    ok: false,
    error: "deadline_exceeded",
    status: "expired",
    refunded: true,
    balance: 10,
  });
  expect(body.duration_ms).toBeLessThan(3_000 + 2_000);
  expect(await entries(platform, id)).toEqual([
    ["charge", -2],
    ["refund", 2],
  ]);
});

it("drops the result of a handler that goes on after its time", async () => {
  const { id, key } = await platform.account(10);
  const { status, body } = await platform.request("POST", "/api/call/test-work", {
    key,
    body: { mode: "stubborn", ms: 5_000, text: "late" },
  });
  expect(status).toBe(504);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(await row(platform, body.call_id)).toMatchObject({ state: "expired", attempt: 1, output: null });
  const look = await platform.request("GET", `/api/calls/${body.call_id}`, { key });
  expect(look).toMatchObject({ status: 200, body: { status: "expired" } });
  expect(await entries(platform, id)).toEqual([
    ["charge", -2],
    ["refund", 2],
  ]);
});
