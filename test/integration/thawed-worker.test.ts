import { afterAll, beforeAll, expect, it } from "vitest";
import { aborted, release, runs } from "../support/capabilities/test-work/handler.ts";
import { begin, ended, entries, loseLease, row } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { until } from "../support/until.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

it("stops the run that a worker has lost while it goes on with the same call's next one", async () => {
  const { id, key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work", { mode: "hold" });
  await until(async () => runs.get(callId) === 1);
  await loseLease(platform, callId);
  await until(async () => runs.get(callId) === 2);
  await until(async () => aborted.has(callId));
  release(callId);
  expect(await ended(platform, key, callId)).toMatchObject({ status: "succeeded" });
  expect(await row(platform, callId)).toMatchObject({ attempt: 2 });
  expect(await entries(platform, id)).toEqual([["charge", -2]]);
});
