import { afterAll, beforeAll, expect, it } from "vitest";
import { aborted, finished, release, runs } from "../support/capabilities/test-work/handler.ts";
import { begin, ended, entries, row, running } from "../support/calls.ts";
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

it.concurrent("takes back a call that waits, at once and with its price", async () => {
  const { id, key } = await platform.account(10);
  // No worker serves its pool.
  const callId = await begin(platform, key, "test-patient");
  const { status, body } = await platform.request("POST", `/api/calls/${callId}/cancel`, { key });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    ok: false,
    error: "cancelled",
    message: expect.any(String),
    call_id: callId,
    status: "cancelled",
    done: true,
    outcome: "cancelled",
    refunded: true,
    price: 3,
    balance: 10,
  });
  expect(await entries(platform, id)).toEqual([
    ["charge", -3],
    ["refund", 3],
  ]);
});

it.concurrent("tells a running handler to stop, and gives the price back when it has", async () => {
  const { id, key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work", { mode: "hold" });
  await until(async () => runs.has(callId));
  const { status, body } = await platform.request("POST", `/api/calls/${callId}/cancel`, { key });
  // It may have stopped before the answer is read.
  expect([
    [202, "running"],
    [200, "cancelled"],
  ]).toContainEqual([status, body.status]);
  expect(await ended(platform, key, callId)).toMatchObject({
    status: "cancelled",
    error: "cancelled",
    refunded: true,
  });
  expect(aborted.has(callId)).toBe(true);
  expect(await entries(platform, id)).toEqual([
    ["charge", -2],
    ["refund", 2],
  ]);
});

it.concurrent("gives up a handler that does not stop, and drops what it brings later", async () => {
  const { id, key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work", { mode: "stubborn", text: "late" });
  await until(async () => runs.has(callId));
  const { status, body } = await platform.request("POST", `/api/calls/${callId}/cancel`, { key });
  expect(status).toBe(202);
  expect(body).toMatchObject({ call_id: callId, status: "running", done: false });
  const end = await ended(platform, key, callId);
  expect(end).toMatchObject({ status: "cancelled", refunded: true, balance: 10 });
  release(callId);
  await until(() => finished.has(callId));
  expect(await row(platform, callId)).toMatchObject({
    state: "cancelled",
    output: null,
    output_hash: null,
    attempt: 1,
  });
  expect(await entries(platform, id)).toEqual([
    ["charge", -2],
    ["refund", 2],
  ]);
});

it.concurrent("ends the thread of a computation that is taken back", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-cpu", { mode: "spin" });
  await running(platform, callId);
  await platform.request("POST", `/api/calls/${callId}/cancel`, { key });
  expect(await ended(platform, key, callId)).toMatchObject({ status: "cancelled", refunded: true });
  expect((await platform.request("POST", "/api/call/test-cpu", { key, body: {} })).status).toBe(200);
});

it.concurrent("answers those who wait for a call with 409 and its envelope when another takes it back", async () => {
  const { key } = await platform.account(10);
  const headers = { "idempotency-key": "one" };
  const body = { mode: "hold" };
  const waiting = platform.request("POST", "/api/call/test-work", { key, body, headers });
  const callId = await until(async () => {
    const { body: found } = await platform.request("GET", "/api/calls?idempotency_key=one", { key });
    return found.calls[0]?.status === "running" && found.calls[0].call_id;
  });
  const looking = platform.request("GET", `/api/calls/${callId}?wait=120`, { key });
  await platform.request("POST", `/api/calls/${callId}/cancel`, { key });
  const envelope = {
    ok: false,
    error: "cancelled",
    call_id: callId,
    status: "cancelled",
    refunded: true,
    balance: 10,
  };
  expect(await waiting).toMatchObject({ status: 409, body: envelope });
  expect(await looking).toMatchObject({ status: 200, body: envelope });
});

it.concurrent("refuses to take back what has ended", async () => {
  const { id, key } = await platform.account(20);
  const ends = [
    await platform.request("POST", "/api/call/test-work", { key, body: {} }),
    await platform.request("POST", "/api/call/test-inline", { key, body: {} }),
    await platform.request("POST", "/api/call/test-work", { key, body: { mode: "fault" } }),
  ];
  const before = await entries(platform, id);
  for (const { body } of ends) {
    const answer = await platform.request("POST", `/api/calls/${body.call_id}/cancel`, { key });
    expect(answer).toMatchObject({
      status: 409,
      body: { error: "already_ended", message: expect.any(String) },
    });
  }
  expect(await entries(platform, id)).toEqual(before);
});

it.concurrent("refunds once, however many take the same call back at the same time as it ends", async () => {
  const { id, key } = await platform.account(100);
  for (let i = 0; i < 10; i++) {
    const callId = await begin(platform, key, "test-work", { mode: "sleep", ms: i * 3 });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => platform.request("POST", `/api/calls/${callId}/cancel`, { key })),
    );
    for (const { status } of answers) expect([200, 202, 409]).toContain(status);
    const end = await ended(platform, key, callId);
    expect(["succeeded", "cancelled"]).toContain(end.status);
  }
  const all = await entries(platform, id);
  expect(all.filter(([kind]) => kind === "charge")).toHaveLength(10);
  expect(all.filter(([kind]) => kind === "refund").length).toBeLessThanOrEqual(10);
});

it.concurrent("cancels also when the wake-up for it is lost", async () => {
  const { id, key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work", { mode: "hold" });
  await until(async () => runs.has(callId));
  // The service's own function, without the wake-up that the service sends after it.
  await platform.runtime.db.query("select cancel_call($1, $2)", [callId, id]);
  expect(await ended(platform, key, callId)).toMatchObject({ status: "cancelled" });
});
