import { afterAll, beforeAll, expect, it } from "vitest";
import { release } from "../support/capabilities/test-work/handler.ts";
import { entries, passDeadline } from "../support/calls.ts";
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

/** The account's one call, once it is in the state asked for. */
const only = (key: string, state: string) =>
  until(async () => (await platform.request("GET", `/api/calls?status=${state}`, { key })).body.calls[0]);

/** Sends a call and cuts the connection once it runs. */
async function callAndHangUp(key: string, body: unknown): Promise<string> {
  const cut = new AbortController();
  const answer = fetch(`${platform.baseUrl}/api/call/test-work`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": "lost",
    },
    body: JSON.stringify(body),
    signal: cut.signal,
  });
  const { call_id } = await only(key, "running");
  cut.abort();
  await expect(answer).rejects.toThrow();
  return call_id;
}

it.concurrent("runs a call to its end although its caller has hung up, and charges it", async () => {
  const { id, key } = await platform.account(10);
  const callId = await callAndHangUp(key, { mode: "hold", text: "still done" });
  release(callId);
  const { body } = await platform.request("GET", `/api/calls/${callId}?wait=120`, { key });
  expect(body).toMatchObject({ status: "succeeded", result: { text: "still done" }, balance: 8 });
  expect(await entries(platform, id)).toEqual([["charge", -2]]);
});

it.concurrent("lets the caller find the call again by its key and have its result", async () => {
  const { key } = await platform.account(10);
  const body = { mode: "hold", text: "found" };
  const callId = await callAndHangUp(key, body);
  const found = await platform.request("GET", "/api/calls?idempotency_key=lost", { key });
  expect(found.body.calls.map((call: { call_id: string }) => call.call_id)).toEqual([callId]);
  release(callId);
  const again = await platform.request("POST", "/api/call/test-work", {
    key,
    body,
    headers: { "idempotency-key": "lost" },
  });
  expect(again).toMatchObject({
    status: 200,
    body: { call_id: callId, result: { text: "found" }, balance: 8 },
  });
});

it.concurrent("refunds a call that fails after its caller has hung up", async () => {
  const { id, key } = await platform.account(10);
  await passDeadline(platform, await callAndHangUp(key, { mode: "hold" }));
  await only(key, "expired");
  expect(await entries(platform, id)).toEqual([
    ["charge", -2],
    ["refund", 2],
  ]);
});

it.concurrent("stops nothing when those who look at a call or follow it hang up", async () => {
  const { key } = await platform.account(10);
  const callId = await callAndHangUp(key, { mode: "hold" });
  const cut = new AbortController();
  const look = fetch(`${platform.baseUrl}/api/calls/${callId}?wait=60`, {
    headers: { authorization: `Bearer ${key}` },
    signal: cut.signal,
  });
  const stream = await follow(platform, key, callId);
  await stream.next();
  stream.kill();
  cut.abort();
  await expect(look).rejects.toThrow();
  release(callId);
  expect((await only(key, "succeeded")).call_id).toBe(callId);
});
