import { afterAll, beforeAll, expect, it } from "vitest";
import { sha256Hex } from "../../src/core/canonical.ts";
import type { ClaimedCall } from "../../src/core/calls/dispatch.ts";
import { type EndColumns, Work } from "../../src/core/calls/work.ts";
import { runs } from "../support/capabilities/test-work/handler.ts";
import { begin, ended, entries, loseLease, row } from "../support/calls.ts";
import { follow } from "../support/event-stream.ts";
import { until } from "../support/until.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

const work = (worker: string): Work => new Work(platform.runtime.db, worker);

function success(text: string): EndColumns {
  const output = JSON.stringify({ text });
  return { state: "succeeded", output, output_ref: null, output_sha256: sha256Hex(output) };
}

/** Claims the one call that waits. */
async function claim(worker: Work, callId: string): Promise<ClaimedCall> {
  const [call, ...rest] = await worker.claim("brain", 1);
  expect(rest).toEqual([]);
  if (call?.id !== callId) throw new Error(`claimed ${call?.id} instead of ${callId}`);
  return call;
}

/** The worker of this call has been silent for too long; waits until the call is given back. */
async function requeued(callId: string): Promise<void> {
  await loseLease(platform, callId);
  await until(async () => (await row(platform, callId)).state === "queued");
}

it("runs a call again when its worker was lost, charged once", async () => {
  const { id, key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work", { text: "again" });
  await claim(work("dead"), callId);
  await requeued(callId);
  const server = await platform.addWorker([{ pool: "brain", slots: 2 }]);
  const end = await ended(platform, key, callId);
  await server.drain(1_000);
  expect(end).toMatchObject({ status: "succeeded", result: { text: "again" }, balance: 8 });
  expect(runs.get(callId)).toBe(1);
  expect(await row(platform, callId)).toMatchObject({ attempt: 2 });
  expect(await entries(platform, id)).toEqual([["charge", -2]]);
  const events = await (await follow(platform, key, callId)).rest();
  expect(events.map(({ type, data }) => [type, data.status, data.attempt])).toEqual([
    ["status", "queued", undefined],
    ["status", "running", 1],
    ["status", "queued", undefined],
    ["status", "running", 2],
    ["completed", "succeeded", undefined],
  ]);
});

it("refuses the late end of a worker whose call was given to another", async () => {
  const { id, key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work");
  const [late, other] = [work("late"), work("other")];
  const first = await claim(late, callId);
  await requeued(callId);
  // It waits again: nobody holds it.
  expect(await late.end({ ...first, ...success("late") })).toBe("stale");
  const second = await claim(other, callId);
  expect([first.attempt, second.attempt]).toEqual([1, 2]);
  expect(await late.end({ ...first, ...success("late") })).toBe("stale");
  expect(await late.end({ ...second, ...success("late") })).toBe("stale");
  expect(await other.end({ ...first, ...success("late") })).toBe("stale");
  expect(await late.renew([first])).toMatchObject([{ id: callId, verdict: "lost" }]);
  expect(await late.handBack([first])).toEqual([]);
  await late.progress({ ...first, data: '{"late":true}' });
  expect(await other.renew([second])).toMatchObject([{ id: callId, verdict: "kept" }]);
  expect(await other.end({ ...second, ...success("good") })).toBe("ended");
  expect(await other.end({ ...second, ...success("twice") })).toBe("stale");
  expect(await late.end({ ...first, state: "cancelled", error_code: "cancelled", error_message: "" })).toBe(
    "stale",
  );
  expect(await ended(platform, key, callId)).toMatchObject({ status: "succeeded", result: { text: "good" } });
  expect(await entries(platform, id)).toEqual([["charge", -2]]);
  const events = await (await follow(platform, key, callId)).rest();
  expect(events.filter(({ type }) => type === "progress")).toEqual([]);
});

it("tells one worker apart from itself when it gets a call again that it had lost", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work");
  const worker = work("thawed");
  const first = await claim(worker, callId);
  await requeued(callId);
  const second = await claim(worker, callId);
  expect(await worker.renew([first, second])).toEqual([
    { id: callId, attempt: 1, verdict: "lost" },
    { id: callId, attempt: 2, verdict: "kept" },
  ]);
  expect(await worker.end({ ...first, ...success("old") })).toBe("stale");
  expect(await worker.end({ ...second, ...success("new") })).toBe("ended");
});

it("gives a call up when three workers were lost over it, refunded", async () => {
  const { id, key } = await platform.account(10);
  const waiting = platform.request("POST", "/api/call/test-work", { key, body: {} });
  const callId: string = await until(
    async () => (await platform.request("GET", "/api/calls?status=queued", { key })).body.calls[0]?.call_id,
  );
  await claim(work("first"), callId);
  await requeued(callId);
  await claim(work("second"), callId);
  await requeued(callId);
  await claim(work("third"), callId);
  await loseLease(platform, callId);
  const { status, body } = await waiting;
  expect(status).toBe(500);
  expect(body).toMatchObject({ error: "attempts_exhausted", status: "failed", refunded: true, balance: 10 });
  expect(await entries(platform, id)).toEqual([
    ["charge", -2],
    ["refund", 2],
  ]);
});

it("takes back a call whose worker is dead", async () => {
  const { id, key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work");
  const dead = work("dead");
  const call = await claim(dead, callId);
  const answer = await platform.request("POST", `/api/calls/${callId}/cancel`, { key });
  expect(answer).toMatchObject({ status: 202, body: { status: "running" } });
  await loseLease(platform, callId);
  expect(await ended(platform, key, callId)).toMatchObject({
    status: "cancelled",
    refunded: true,
    balance: 10,
  });
  expect(await dead.end({ ...call, ...success("late") })).toBe("stale");
  expect(await entries(platform, id)).toEqual([
    ["charge", -2],
    ["refund", 2],
  ]);
});

it("tells a worker at its next renewal that a call is to be cancelled, and keeps the lease until it has stopped", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work");
  const worker = work("slow");
  const call = await claim(worker, callId);
  await platform.request("POST", `/api/calls/${callId}/cancel`, { key });
  expect(await worker.renew([call])).toMatchObject([{ verdict: "cancel" }]);
  const end = {
    state: "cancelled",
    error_code: "cancelled",
    error_message: "The caller took it back.",
  } as const;
  expect(await worker.end({ ...call, ...end })).toBe("ended");
  expect(await ended(platform, key, callId)).toMatchObject({ status: "cancelled", refunded: true });
});

it("expires a call whose worker died at its deadline, instead of running it again", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work");
  await claim(work("dead"), callId);
  await platform.database.owner.query(
    "update calls set lease_until = clock_timestamp(), run_until = clock_timestamp(), deadline_at = clock_timestamp() where id = $1",
    [callId],
  );
  expect(await ended(platform, key, callId)).toMatchObject({ status: "expired", refunded: true });
});
