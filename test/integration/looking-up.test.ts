import { afterAll, beforeAll, expect, it } from "vitest";
import { release } from "../support/capabilities/test-work/handler.ts";
import { begin, ended } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

it("lists an account's calls newest first, page by page, without their results", async () => {
  const { key } = await platform.account(100);
  const made: string[] = [];
  for (let i = 0; i < 5; i++) {
    const { body } = await platform.request("POST", "/api/call/test-inline", {
      key,
      body: { text: String(i) },
    });
    made.unshift(body.call_id);
  }
  const seen: string[] = [];
  let before: string | null = null;
  let pages = 0;
  do {
    const path: string = `/api/calls?limit=2${before === null ? "" : `&before=${before}`}`;
    const { status, body } = await platform.request("GET", path, { key });
    expect(status).toBe(200);
    for (const row of body.calls) {
      expect(row).toMatchObject({ ok: true, status: "succeeded", done: true, price: 1, currency: "MESH" });
      expect(row).not.toHaveProperty("result");
      seen.push(row.call_id);
    }
    before = body.next_before;
    pages++;
  } while (before !== null && pages < 10);
  expect(seen).toEqual(made);
});

it("ends the last page with next_before null", async () => {
  const { key } = await platform.account(10);
  expect((await platform.request("GET", "/api/calls", { key })).body).toEqual({
    calls: [],
    next_before: null,
  });
  await platform.request("POST", "/api/call/test-inline", { key, body: {} });
  expect((await platform.request("GET", "/api/calls?limit=2", { key })).body.next_before).toBeNull();
});

it("filters by status and by capability", async () => {
  const { key } = await platform.account(100);
  const good = await platform.request("POST", "/api/call/test-work", { key, body: {} });
  const bad = await platform.request("POST", "/api/call/test-work", { key, body: { mode: "throw" } });
  const inline = await platform.request("POST", "/api/call/test-inline", { key, body: {} });
  const ids = async (query: string): Promise<string[]> => {
    const { body } = await platform.request("GET", `/api/calls?${query}`, { key });
    return body.calls.map((call: { call_id: string }) => call.call_id);
  };
  expect(await ids("status=failed")).toEqual([bad.body.call_id]);
  expect(await ids("status=succeeded&slug=test-work")).toEqual([good.body.call_id]);
  expect(await ids("slug=test-inline")).toEqual([inline.body.call_id]);
  expect(await ids("slug=unheard-of")).toEqual([]);
  expect(await ids("status=cancelled")).toEqual([]);
});

it("refuses filters that cannot be meant", async () => {
  const { key } = await platform.account();
  for (const query of ["status=lost", "limit=0", "limit=1000", "limit=many"]) {
    const answer = await platform.request("GET", `/api/calls?${query}`, { key });
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_input" } });
  }
});

it("finds a call again by its Idempotency-Key", async () => {
  const { key } = await platform.account(10);
  const other = await platform.account(10);
  const headers = { "idempotency-key": "order 7/a?&=%" };
  const made = await platform.request("POST", "/api/call/test-work", {
    key,
    body: { text: "mine" },
    headers,
  });
  const query = `/api/calls?idempotency_key=${encodeURIComponent(headers["idempotency-key"])}`;
  const { body } = await platform.request("GET", query, { key });
  expect(body.calls).toHaveLength(1);
  expect(body.calls[0]).toMatchObject({ call_id: made.body.call_id, status: "succeeded" });
  expect((await platform.request("GET", query, { key: other.key })).body.calls).toEqual([]);
});

it("shows nobody another account's calls", async () => {
  const owner = await platform.account(10);
  const stranger = await platform.account(10);
  const callId = await begin(platform, owner.key, "test-work", { mode: "hold" });
  for (const [method, path] of [
    ["GET", `/api/calls/${callId}`],
    ["GET", `/api/calls/${callId}?wait=5`],
    ["GET", `/api/calls/${callId}/events`],
    ["POST", `/api/calls/${callId}/cancel`],
    ["GET", `/api/calls/call_${"0".repeat(32)}`],
    ["GET", "/api/calls/nonsense"],
  ] as const) {
    const answer = await platform.request(method, path, { key: stranger.key });
    expect(answer).toMatchObject({ status: 404, body: { error: "not_found" } });
  }
  expect((await platform.request("GET", "/api/calls", { key: stranger.key })).body.calls).toEqual([]);
  release(callId);
  expect(await ended(platform, owner.key, callId)).toMatchObject({ status: "succeeded" });
});
