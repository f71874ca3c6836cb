import { afterAll, beforeAll, expect, it } from "vitest";
import { Work } from "../../src/core/calls/work.ts";
import { release } from "../support/capabilities/test-work/handler.ts";
import { begin, ended, passDeadline, running } from "../support/calls.ts";
import { follow, type StreamedEvent } from "../support/event-stream.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

/** What is said of an event besides its data. */
const heads = (events: readonly StreamedEvent[]) => events.map(({ id, type }) => `${id} ${type}`);

it.concurrent("streams a call from its first to its one last event, numbered without a gap, with the envelope at the end", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work", { mode: "steps", text: "done" });
  const stream = await follow(platform, key, callId);
  expect(stream.status).toBe(200);
  expect(stream.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(stream.headers.get("cache-control")).toContain("no-cache");
  const events = await stream.rest();
  expect(stream.asides[0]).toMatch(/^retry: \d+$/);
  expect(heads(events)).toEqual([
    "1 status",
    "2 status",
    "3 progress",
    "4 progress",
    "5 progress",
    "6 progress",
    "7 progress",
    "8 completed",
  ]);
  expect(events[0]?.data).toEqual({ status: "queued" });
  expect(events[1]?.data).toEqual({ status: "running", attempt: 1 });
  expect(events.slice(2, 7).map(({ data }) => data)).toEqual(
    [1, 2, 3, 4, 5].map((step) => ({ step, of: 5 })),
  );
  const { body } = await platform.request("GET", `/api/calls/${callId}`, { key });
  expect(events.at(-1)?.data).toEqual(body);
  expect(body.result).toEqual({ text: "done" });
});

it.concurrent("sends progress while the call still runs", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work", { mode: "step-and-hold" });
  const stream = await follow(platform, key, callId);
  let event = await stream.next();
  while (event !== undefined && event.type !== "progress") event = await stream.next();
  expect(event?.data).toEqual({ step: 1, of: 5 });
  const { body } = await platform.request("GET", `/api/calls/${callId}`, { key });
  expect(body.status).toBe("running");
  release(callId);
  await stream.rest();
});

it.concurrent("resumes from any event with exactly what follows, by header or query, the header first", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work", { mode: "steps" });
  await ended(platform, key, callId);
  const all = await (await follow(platform, key, callId)).rest();
  for (let id = 0; id < all.length; id++) {
    const resumed = await follow(platform, key, callId, { lastEventId: id });
    expect(await resumed.rest()).toEqual(all.slice(id));
    const asked = await follow(platform, key, callId, { query: `?lastEventId=${id}` });
    expect(await asked.rest()).toEqual(all.slice(id));
  }
  const both = await follow(platform, key, callId, { lastEventId: 6, query: "?lastEventId=1" });
  expect(await both.rest()).toEqual(all.slice(6));
});

it.concurrent("says 204 when nothing follows any more", async () => {
  const { key } = await platform.account(10);
  const { body } = await platform.request("POST", "/api/call/test-work", { key, body: {} });
  const all = await (await follow(platform, key, body.call_id)).rest();
  for (const lastEventId of [all.length, all.length + 1, "999999999999"]) {
    const past = await follow(platform, key, body.call_id, { lastEventId });
    expect(past.status).toBe(204);
    expect(await past.rest()).toEqual([]);
  }
});

it.concurrent("starts at the first event for an id that is empty or 0", async () => {
  const { key } = await platform.account(10);
  const { body } = await platform.request("POST", "/api/call/test-work", { key, body: {} });
  for (const query of ["?lastEventId=", "?lastEventId=0"]) {
    const events = await (await follow(platform, key, body.call_id, { query })).rest();
    expect(heads(events)).toEqual(["1 status", "2 status", "3 completed"]);
  }
});

/** What is asked with an id, and not answered with events. */
async function refusal(key: string, callId: string, id: string, by: "header" | "query"): Promise<Answer> {
  const path = `/api/calls/${callId}/events`;
  return by === "header"
    ? await platform.request("GET", path, { key, headers: { "last-event-id": id } })
    : await platform.request("GET", `${path}?lastEventId=${encodeURIComponent(id)}`, { key });
}

it.concurrent("says 400 to an id that is none", async () => {
  const { key } = await platform.account(10);
  const { body } = await platform.request("POST", "/api/call/test-work", { key, body: {} });
  for (const id of ["none", "-3", "NaN", "1.5", "1e1", "0x1", "01", "1 2", "\u00b2"]) {
    for (const by of ["header", "query"] as const) {
      const answer = await refusal(key, body.call_id, id, by);
      expect(answer, id).toMatchObject({ status: 400, body: { error: "invalid_input" } });
      expect(answer.body.issues[0].path).toBe(by === "header" ? "Last-Event-ID" : "lastEventId");
    }
  }
  const twice = `/api/calls/${body.call_id}/events?lastEventId=1&lastEventId=2`;
  expect((await platform.request("GET", twice, { key })).status).toBe(400);
});

it.concurrent("says 400 to an id beyond the last of a call that goes on", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work", { mode: "hold" });
  await running(platform, callId);
  for (const id of ["40", "999999999999999999999"]) {
    for (const by of ["header", "query"] as const) {
      expect(await refusal(key, callId, id, by)).toMatchObject({
        status: 400,
        body: { error: "invalid_input" },
      });
    }
  }
});

it.concurrent("loses and doubles nothing when connections break again and again", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work", { mode: "steps" });
  const seen: StreamedEvent[] = [];
  for (let breaks = 0; breaks < 20; breaks++) {
    const stream = await follow(platform, key, callId, { lastEventId: seen.at(-1)?.id ?? 0 });
    if (stream.status === 204) break;
    const event = await stream.next();
    if (event !== undefined) seen.push(event);
    stream.kill();
  }
  const undisturbed = await (await follow(platform, key, callId)).rest();
  expect(seen).toEqual(undisturbed);
});

it.concurrent("tells all who follow a call the same", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work", { mode: "steps" });
  const streams = await Promise.all(Array.from({ length: 25 }, () => follow(platform, key, callId)));
  const [first, ...others] = await Promise.all(streams.map((stream) => stream.rest()));
  expect(first).toHaveLength(8);
  for (const other of others) expect(other).toEqual(first);
});

const ends = [
  ["a failed", "fault", "failed", "told_to_fail"],
  ["an expired", "hold", "expired", "deadline_exceeded"],
] as const;
for (const [what, mode, status, error] of ends) {
  it.concurrent(`ends the stream of ${what} call with failed and its envelope`, async () => {
    const { key } = await platform.account(10);
    const callId = await begin(platform, key, "test-work", { mode });
    if (status === "expired") await passDeadline(platform, callId);
    const last = (await (await follow(platform, key, callId)).rest()).at(-1);
    expect(last).toMatchObject({
      type: "failed",
      data: { ok: false, status, error, refunded: true, done: true },
    });
    const { body } = await platform.request("GET", `/api/calls/${callId}`, { key });
    expect(last?.data).toEqual(body);
  });
}

it.concurrent("ends the stream of a cancelled call with failed and its envelope", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work", { mode: "hold" });
  const stream = await follow(platform, key, callId);
  expect(heads([(await stream.next()) as StreamedEvent])).toEqual(["1 status"]);
  await platform.request("POST", `/api/calls/${callId}/cancel`, { key });
  const last = (await stream.rest()).at(-1);
  expect(last).toMatchObject({
    type: "failed",
    data: { status: "cancelled", error: "cancelled", refunded: true },
  });
});

it.concurrent("gives a call that ran inline its one event", async () => {
  const { key } = await platform.account(10);
  const { body } = await platform.request("POST", "/api/call/test-inline", { key, body: { text: "a" } });
  const events = await (await follow(platform, key, body.call_id)).rest();
  expect(heads(events)).toEqual(["1 completed"]);
  expect(events[0]?.data).toMatchObject({ ok: true, result: { text: "a" } });
});

it.concurrent("sends a large result in its last event whole", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work", { mode: "large" });
  const last = (await (await follow(platform, key, callId)).rest()).at(-1);
  expect(last?.data.result.text).toHaveLength(200_000);
});

it.concurrent("stores no more than a thousand events of one call, and its end all the same", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-patient");
  const work = new Work(platform.runtime.db, "talkative");
  const [call] = await work.claim("probe", 1);
  if (call === undefined) throw new Error("nothing to claim");
  // However long the machine takes for a thousand of them, the worker has the call until it is out of time.
  await platform.database.owner.query(
    "update calls set lease_until = clock_timestamp() + interval '1 hour' where id = $1",
    [callId],
  );
  await Promise.all(Array.from({ length: 1_100 }, (_, i) => work.progress({ ...call, data: `{"i":${i}}` })));
  await passDeadline(platform, callId);
  await ended(platform, key, callId);
  const events = await (await follow(platform, key, callId)).rest();
  expect(events.map(({ id }) => id)).toEqual(Array.from({ length: 1_001 }, (_, i) => i + 1));
  expect(events.at(-1)).toMatchObject({ type: "failed", data: { status: "expired" } });
});

it.concurrent("sends the headers that every answer has, CORS and security among them", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work");
  const stream = await follow(platform, key, callId);
  const other = await platform.request("GET", `/api/calls/${callId}`, { key });
  for (const [name, value] of other.headers) {
    if (!/^(access-control|x-|content-security|referrer|strict|cross-origin|origin)/.test(name)) continue;
    if (name === "x-request-id") expect(stream.headers.get(name)).toHaveLength(value.length);
    else expect(stream.headers.get(name), name).toBe(value);
  }
  expect(stream.headers.get("access-control-allow-origin")).toBe("*");
  expect(stream.headers.get("x-content-type-options")).toBe("nosniff");
  await stream.rest();
});

it.concurrent("asks for a key", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work");
  const answer = await platform.request("GET", `/api/calls/${callId}/events`);
  expect(answer).toMatchObject({ status: 401, body: { error: "unauthorized" } });
});
