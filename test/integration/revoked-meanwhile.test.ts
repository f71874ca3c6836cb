import { afterAll, beforeAll, expect, it } from "vitest";
import { begin, entries } from "../support/calls.ts";
import { follow } from "../support/event-stream.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { until } from "../support/until.ts";

let platform: TestPlatform;
beforeAll(async () => {
  // Nobody serves the pool: a call waits until it is cancelled.
  platform = await startTestPlatform({ pools: [] });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

type Keys = { readonly id: string; readonly key: string; readonly second: string; readonly secondId: string };

async function twoKeys(wish: object = {}): Promise<Keys> {
  const { id, key } = await platform.account(20);
  const { body } = await platform.request("POST", "/api/keys", { key, body: wish });
  return { id, key, second: body.api_key, secondId: body.key.id };
}

const revoke = ({ key, secondId }: Keys) => platform.request("DELETE", `/api/keys/${secondId}`, { key });

it("ends the streams of a revoked key, and none of another key", async () => {
  const keys = await twoKeys();
  const callId = await begin(platform, keys.second, "test-long");
  const { body } = await platform.request("GET", `/api/calls/${callId}`, { key: keys.key });
  const cut = [await follow(platform, keys.second, callId), await follow(platform, keys.second, callId)];
  const kept = await follow(platform, keys.key, callId);
  const byUrl = fetch(body.stream_url.replace(/^.*(?=\/api)/, platform.baseUrl)).then((answer) =>
    answer.text(),
  );
  await until(async () => platform.services.streaming.open.size === 4);
  await revoke(keys);
  for (const stream of cut) expect((await stream.rest()).map(({ id }) => id)).toEqual([1]);
  expect(await byUrl).toContain("id: 1\n");
  expect(platform.services.streaming.open.size).toBe(1);
  await platform.request("POST", `/api/calls/${callId}/cancel`, { key: keys.key });
  expect((await kept.rest()).map(({ type }) => type)).toEqual(["status", "failed"]);
});

it("ends a wait for a call with 401 and the call's id, and leaves the call alone", async () => {
  const keys = await twoKeys();
  const waiting = platform.request("POST", "/api/call/test-long", {
    key: keys.second,
    body: {},
    headers: { prefer: "wait=60" },
  });
  const callId: string = await until(
    async () => (await platform.request("GET", "/api/calls", { key: keys.key })).body.calls[0]?.call_id,
  );
  const looking = platform.request("GET", `/api/calls/${callId}?wait=60`, { key: keys.second });
  const other = platform.request("GET", `/api/calls/${callId}?wait=60`, { key: keys.key });
  await revoke(keys);
  for (const answer of await Promise.all([waiting, looking])) {
    expect(answer).toMatchObject({ status: 401, body: { error: "unauthorized", call_id: callId } });
  }
  expect(await entries(platform, keys.id)).toHaveLength(1);
  await platform.request("POST", `/api/calls/${callId}/cancel`, { key: keys.key });
  expect(await other).toMatchObject({ status: 200, body: { status: "cancelled" } });
});

it("ends them when the key expires, too", async () => {
  const keys = await twoKeys({ expires_at: new Date(Date.now() + 3_000).toISOString() });
  const callId = await begin(platform, keys.second, "test-long");
  const stream = await follow(platform, keys.second, callId);
  const looking = await platform.request("GET", `/api/calls/${callId}?wait=60`, { key: keys.second });
  expect(looking).toMatchObject({ status: 401, body: { call_id: callId } });
  expect((await stream.rest()).map(({ id }) => id)).toEqual([1]);
});
