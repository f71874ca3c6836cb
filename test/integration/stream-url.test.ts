import { afterAll, beforeAll, expect, it } from "vitest";
import { createKeyRing } from "../../src/core/secrets/key-ring.ts";
import { signToken } from "../../src/core/secrets/signed-token.ts";
import { streamToken } from "../../src/core/streams/stream-urls.ts";
import { release } from "../support/capabilities/test-work/handler.ts";
import { ASYNC, begin, ended } from "../support/calls.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";

const HOUR_MS = 3_600_000;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

/** A call that goes on, or goes on until it is released, with the path of its `stream_url`. */
async function started(key: string, goesOn: "for a moment" | "until released" = "for a moment") {
  const { status, body: envelope } = await platform.request("POST", "/api/call/test-work", {
    key,
    body: { mode: "hold", text: "x" },
    headers: ASYNC,
  });
  expect(status).toBe(202);
  if (goesOn === "for a moment") release(envelope.call_id);
  const url = new URL(envelope.stream_url);
  return { callId: envelope.call_id as string, path: `${url.pathname}${url.search}` };
}

const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  platform.request("GET", path, { headers });

/** The ids in a body of server-sent events. */
const ids = (text: string): number[] => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

it("follows its call without a key, resumes, and ends with the envelope", async () => {
  const { key } = await platform.account(10);
  const { callId, path } = await started(key);
  const { status, headers, body } = await get(path);
  expect(status).toBe(200);
  expect(headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(ids(body)).toEqual([1, 2, 3]);
  expect(body).toContain(JSON.stringify(await ended(platform, key, callId)));
  expect(ids((await get(`${path}&lastEventId=2`)).body)).toEqual([3]);
  expect(ids((await get(`${path}&lastEventId=0`, { "last-event-id": "2" })).body)).toEqual([3]);
  expect((await get(`${path}&lastEventId=3`)).status).toBe(204);
});

it("stands in every envelope of a call that goes on, and in none that has ended", async () => {
  const { key } = await platform.account(10);
  const { callId } = await started(key, "until released");
  const one = await platform.request("GET", `/api/calls/${callId}`, { key });
  expect(one.body.stream_url).toContain(`/api/calls/${callId}/events?token=`);
  release(callId);
  expect((await ended(platform, key, callId)).stream_url).toBeUndefined();
});

it("opens nothing but the stream of its own call", async () => {
  const { key } = await platform.account(10);
  const [one, two] = [await started(key), await started(key)];
  const token = new URL(`http://x${one.path}`).searchParams.get("token") ?? "";
  for (const path of [
    `/api/calls/${two.callId}/events?token=${token}`,
    `/api/calls/${one.callId}?token=${token}`,
    `/api/calls?token=${token}`,
    `/api/account?token=${token}`,
  ]) {
    expect(await get(path), path).toMatchObject({ status: 401, body: { error: "unauthorized" } });
  }
  for (const path of [
    `/api/calls/${one.callId}/cancel?token=${token}`,
    `/api/call/test-work?token=${token}`,
  ]) {
    expect((await platform.request("POST", path, { body: {} })).status).toBe(401);
  }
});

it("lasts an hour, and is 401 after it", async () => {
  const { key } = await platform.account(10);
  const { callId, path } = await started(key);
  const endsAt = Number(/token=(\d+)\./.exec(path)?.[1]) * 1_000;
  expect(Math.abs(endsAt - Date.now() - HOUR_MS)).toBeLessThan(300_000);
  const { keyRing } = platform.runtime;
  const grant = { purpose: "stream", subject: callId } as const;
  const late = signToken(keyRing, grant, Date.now() - 1_000);
  const answer = await get(`/api/calls/${callId}/events?token=${late}`);
  expect(answer).toMatchObject({ status: 401, body: { error: "unauthorized" } });
  expect(answer.body.message).toContain("expired");
  expect((await get(path)).status).toBe(200);
});

it("is 401 for what is no token, or one that another key signed, the same for calls that are not there", async () => {
  const { key } = await platform.account(10);
  const { callId } = await started(key);
  const stranger = createKeyRing(Buffer.alloc(32, 1), null);
  const messages = new Set<string>();
  for (const token of ["", "x", "1.2", streamToken(stranger, callId), `${Date.now()}.${"A".repeat(43)}`]) {
    for (const id of [callId, "call_0", callId.replace(/.$/, "x")]) {
      const { status, body } = await get(`/api/calls/${id}/events?token=${token}`);
      expect([status, body.error], token).toEqual([401, "unauthorized"]);
      messages.add(body.message);
    }
  }
  expect(messages.size).toBe(1);
  expect(
    (await get(`/api/calls/call_0/events?token=${streamToken(platform.runtime.keyRing, "call_0")}`)).status,
  ).toBe(401);
});

it("dies with the key that made the call, and with no other", async () => {
  const { key } = await platform.account(10);
  const { body: made } = await platform.request("POST", "/api/keys", { key, body: {} });
  const { body: other } = await platform.request("POST", "/api/keys", { key, body: {} });
  const { callId, path } = await started(made.api_key);
  await platform.request("DELETE", `/api/keys/${other.key.id}`, { key });
  expect((await get(path)).status).toBe(200);
  await platform.request("DELETE", `/api/keys/${made.key.id}`, { key });
  expect(await get(path)).toMatchObject({ status: 401, body: { error: "unauthorized" } });
  const again = await platform.request("GET", `/api/calls/${callId}/events`, { key });
  expect(again.status).toBe(200);
});

it("still opens what was signed before the secret key was replaced", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work");
  const older = createKeyRing(Buffer.alloc(32, 2), null);
  const token = streamToken(older, callId);
  expect((await get(`/api/calls/${callId}/events?token=${token}`)).status).toBe(401);
  const rotated = await startTestPlatform({
    pools: [],
    env: {
      SECRET_KEY: Buffer.alloc(32, 3).toString("base64"),
      SECRET_KEY_PREVIOUS: Buffer.alloc(32, 2).toString("base64"),
    },
  });
  const account = await rotated.account(10);
  const { body } = await rotated.request("POST", "/api/call/test-inline", { key: account.key, body: {} });
  const path = `/api/calls/${body.call_id}/events?token=${streamToken(older, body.call_id)}`;
  expect((await rotated.request("GET", path)).status).toBe(200);
  await rotated.stop();
});
