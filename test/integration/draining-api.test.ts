import { afterAll, beforeAll, expect, it } from "vitest";
import { release } from "../support/capabilities/test-work/handler.ts";
import { entries } from "../support/calls.ts";
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

it("lets those who wait go with what is known when the API drains, and their calls go on", async () => {
  const { id, key } = await platform.account(20);
  const body = { mode: "hold", text: "later" };
  const waiting = platform.request("POST", "/api/call/test-work", { key, body });
  const callId: string = await until(
    async () => (await platform.request("GET", "/api/calls?status=running", { key })).body.calls[0]?.call_id,
  );
  const looking = platform.request("GET", `/api/calls/${callId}?wait=120`, { key });
  const stream = await follow(platform, key, callId);
  await stream.next();
  platform.services.calls.waiters.drain();
  platform.services.streaming.feeds.drain();
  expect(await waiting).toMatchObject({
    status: 202,
    body: { call_id: callId, status: "running", done: false },
  });
  expect(await looking).toMatchObject({ status: 202, body: { call_id: callId, done: false } });
  expect((await stream.rest()).map(({ type }) => type)).toEqual(["status"]);
  // Whoever comes while it drains waits for nothing, either.
  const late = await platform.request("POST", "/api/call/test-work", {
    key,
    body: { mode: "hold" },
  });
  expect(late.status).toBe(202);
  for (const held of [callId, late.body.call_id]) release(held);
  const end = await until(async () => {
    const look = await platform.request("GET", `/api/calls/${callId}`, { key });
    return look.body.done === true && look.body;
  });
  expect(end).toMatchObject({ status: "succeeded", result: { text: "later" } });
  await until(
    async () =>
      (await platform.request("GET", late.body.poll_url.replace(/^.*(?=\/api)/, ""), { key })).body.done,
  );
  expect(await entries(platform, id)).toHaveLength(2);
});
