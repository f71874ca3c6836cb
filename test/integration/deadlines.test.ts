import { afterAll, beforeAll, expect, it } from "vitest";
import { entries, row } from "../support/calls.ts";
import { finished } from "../support/capabilities/test-brief/handler.ts";
import { until } from "../support/until.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({
    pools: [
      { pool: "probe", slots: 4 },
      { pool: "brain", slots: 4 },
    ],
  });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

it("answers 504 to who waits for a call that runs past its time", async () => {
  const { id, key } = await platform.account(10);
  const { status, body } = await platform.request("POST", "/api/call/test-brief", {
    key,
    body: { ms: 60_000 },
  });
  expect(status).toBe(504);
  expect(body).toMatchObject({
    ok: false,
    error: "deadline_exceeded",
    status: "expired",
    refunded: true,
    balance: 10,
  });
  expect(body.duration_ms).toBeLessThan(60_000);
  expect(await entries(platform, id)).toEqual([
    ["charge", -3],
    ["refund", 3],
  ]);
});

it("drops the result of a handler that goes on after its time", async () => {
  const { id, key } = await platform.account(10);
  const { status, body } = await platform.request("POST", "/api/call/test-brief", {
    key,
    body: { stubborn: true, ms: 2_000 },
  });
  expect(status).toBe(504);
  await until(() => finished.has(body.call_id));
  expect(await row(platform, body.call_id)).toMatchObject({ state: "expired", attempt: 1, output: null });
  const look = await platform.request("GET", `/api/calls/${body.call_id}`, { key });
  expect(look).toMatchObject({ status: 200, body: { status: "expired" } });
  expect(await entries(platform, id)).toEqual([
    ["charge", -3],
    ["refund", 3],
  ]);
});

for (const [what, slug, mode] of [
  ["an inline handler that does not come back", "test-inline", "hang"],
  ["an inline handler whose upstream was too slow", "test-inline", "slow-upstream"],
  ["a handler whose upstream was too slow", "test-work", "slow-upstream"],
] as const) {
  it(`expires the call of ${what}, refunded, and gives its key the limit back`, async () => {
    const { id, key: owner } = await platform.account(10);
    const { body: limited } = await platform.request("POST", "/api/keys", {
      key: owner,
      body: { spend_limit: { currency: "MESH", amount: 2, period: "total" } },
    });
    const key = limited.api_key;
    const { status, body } = await platform.request("POST", `/api/call/${slug}`, { key, body: { mode } });
    expect(status).toBe(504);
    expect(body).toMatchObject({
      error: "deadline_exceeded",
      status: "expired",
      outcome: "expired",
      refunded: true,
      balance: 10,
    });
    const booked = await entries(platform, id);
    expect(booked.map(([kind]) => kind)).toEqual(["charge", "refund"]);
    expect((await platform.request("POST", "/api/call/test-work", { key, body: {} })).status).toBe(200);
  });
}
