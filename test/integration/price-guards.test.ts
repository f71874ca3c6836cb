import { afterAll, beforeAll, expect, it } from "vitest";
import { ASYNC, balance, begin, entries, passDeadline } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ env: { MAX_QUEUED_PER_ACCOUNT: "5" } });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

it("refuses a call that is dearer than its caller will pay, uncharged", async () => {
  const { id, key } = await platform.account(10);
  const dear = await platform.request("POST", "/api/call/test-work", {
    key,
    body: {},
    headers: { "max-price": "1.99" },
  });
  expect(dear).toMatchObject({ status: 402, body: { error: "price_above_max", price: 2, currency: "MESH" } });
  expect(await entries(platform, id)).toEqual([]);
  for (const max of ["2", "2.0", "1000000"]) {
    const fair = await platform.request("POST", "/api/call/test-work", {
      key,
      body: {},
      headers: { "max-price": max },
    });
    expect(fair.status).toBe(200);
  }
});

it("refuses a Max-Price that is no number", async () => {
  const { id, key } = await platform.account(10);
  for (const max of ["cheap", "-1", "", "1e3", "NaN", "0x10", "1,5"]) {
    const answer = await platform.request("POST", "/api/call/test-work", {
      key,
      body: {},
      headers: { "max-price": max },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: "invalid_input", issues: [{ path: "Max-Price" }] },
    });
  }
  expect(await entries(platform, id)).toEqual([]);
});

for (const slug of ["test-inline", "test-work"]) {
  it(`tells who cannot pay for ${slug} what it costs, what is there and where to buy`, async () => {
    const { id, key } = await platform.account(0);
    const { status, body } = await platform.request("POST", `/api/call/${slug}`, { key, body: {} });
    expect(status).toBe(402);
    expect(body).toEqual({
      error: "insufficient_funds",
      message: expect.any(String),
      required: slug === "test-inline" ? 1 : 2,
      balance: 0,
      currency: "MESH",
      buy_url: expect.stringMatching(/^http.*\/api\/account\/buy$/),
    });
    expect(await entries(platform, id)).toEqual([]);
    expect((await platform.request("GET", "/api/calls", { key })).body.calls).toEqual([]);
  });
}

it("lets no more calls of an account wait than are allowed, and charges nothing for the one too many", async () => {
  const { id, key } = await platform.account(100);
  const other = await platform.account(100);
  // No worker serves the pool of test-patient: its calls wait until their time is over.
  const asked = await Promise.all(
    Array.from({ length: 12 }, () =>
      platform.request("POST", "/api/call/test-patient", { key, body: {}, headers: ASYNC }),
    ),
  );
  const accepted = asked.filter(({ status }) => status === 202);
  const refused = asked.filter(({ status }) => status === 429);
  expect([accepted.length, refused.length]).toEqual([5, 7]);
  for (const { body, headers } of refused) {
    expect(body).toMatchObject({ error: "queue_full", message: expect.any(String) });
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect(await balance(platform, id)).toBe(100 - 5 * 3);
  // Neither another account nor a call that runs at once waits for it.
  await begin(platform, other.key, "test-patient");
  expect((await platform.request("POST", "/api/call/test-inline", { key, body: {} })).status).toBe(200);
  for (const { body } of accepted) await passDeadline(platform, body.call_id);
  const later = await platform.request("POST", "/api/call/test-patient", { key, body: {}, headers: ASYNC });
  expect(later.status).toBe(202);
});
