import { afterAll, beforeAll, expect, it } from "vitest";
import { Work } from "../../src/core/calls/work.ts";
import { sha256Hex } from "../../src/core/canonical.ts";
import { runs } from "../support/capabilities/test-work/handler.ts";
import { ASYNC, begin, ended, entries } from "../support/calls.ts";
import { follow } from "../support/event-stream.ts";
import { until } from "../support/until.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

/** Settles a call while announcing is what `announce` makes of it. */
async function beginWhile(announce: () => Promise<void>, key: string): Promise<string> {
  const { dispatcher } = platform.runtime;
  const honest = { ...dispatcher };
  Object.assign(dispatcher, { announce });
  try {
    return await begin(platform, key, "test-work");
  } finally {
    Object.assign(dispatcher, honest);
  }
}

const hints = [
  ["never sent", () => Promise.resolve()],
  ["refused by the queue", () => Promise.reject(new Error("the queue is away"))],
  ["stuck on its way", () => new Promise<void>(() => undefined)],
] as const;
for (const [fate, announce] of hints) {
  it(`runs a call whose hint was ${fate}`, async () => {
    const { id, key } = await platform.account(10);
    const callId = await beginWhile(announce, key);
    expect(await ended(platform, key, callId)).toMatchObject({ status: "succeeded" });
    expect(await entries(platform, id)).toEqual([["charge", -2]]);
  });
}

it("runs a call once, however often it is announced", async () => {
  const { id, key } = await platform.account(10);
  const { dispatcher } = platform.runtime;
  const callId = await begin(platform, key, "test-work", { mode: "sleep", ms: 100 });
  const again = (): Promise<unknown> =>
    Promise.all(Array.from({ length: 30 }, () => dispatcher.announce("brain", [callId, callId])));
  await again();
  await ended(platform, key, callId);
  await again();
  const { body: later } = await platform.request("POST", "/api/call/test-work", { key, body: {} });
  expect(later.status).toBe("succeeded");
  expect(runs.get(callId)).toBe(1);
  expect(await entries(platform, id)).toEqual([
    ["charge", -2],
    ["charge", -2],
  ]);
});

it("takes a hint of a call that never was for what it is", async () => {
  const { key } = await platform.account(10);
  await platform.runtime.dispatcher.announce("brain", [`call_${"0".repeat(32)}`]);
  expect((await platform.request("POST", "/api/call/test-work", { key, body: {} })).status).toBe(200);
});

it("answers who waits for a call also when no wake-up tells of its end", async () => {
  const { key } = await platform.account(10);
  const waiting = platform.request("POST", "/api/call/test-patient", { key, body: {} });
  // This worker's side of the protocol publishes nothing.
  const work = new Work(platform.runtime.db, "silent");
  const call = await until(async () => (await work.claim("probe", 1))[0]);
  const stream = await follow(platform, key, call.id);
  const output = JSON.stringify({ text: "" });
  await work.end({ ...call, state: "succeeded", output, output_ref: null, output_sha256: sha256Hex(output) });
  expect(await waiting).toMatchObject({ status: 200, body: { result: { text: "" } } });
  expect((await stream.rest()).at(-1)).toMatchObject({ type: "completed" });
});

it("answers a caller although announcing never ends", async () => {
  const { key } = await platform.account(10);
  const { dispatcher } = platform.runtime;
  const honest = { ...dispatcher };
  Object.assign(dispatcher, { announce: () => new Promise<void>(() => undefined) });
  const answer = await platform
    .request("POST", "/api/call/test-work", { key, body: {}, headers: ASYNC })
    .finally(() => Object.assign(dispatcher, honest));
  expect(answer.status).toBe(202);
  await ended(platform, key, answer.body.call_id);
});
