import { afterAll, beforeAll, expect, it } from "vitest";
import { release } from "../support/capabilities/test-work/handler.ts";
import { ASYNC, begin, ended } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

/** A further key of an account, which may spend no more than `amount` MESH in each `period`. */
async function limitedKey(
  owner: string,
  amount: number,
  period: string,
): Promise<{ id: string; key: string }> {
  const { status, body } = await platform.request("POST", "/api/keys", {
    key: owner,
    body: { name: "limited", spend_limit: { currency: "MESH", amount, period } },
  });
  expect(status).toBe(201);
  return { id: body.key.id, key: body.api_key };
}

for (const period of ["day", "month", "total"]) {
  it(`lets a key spend its limit of a ${period} and no more`, async () => {
    const { key: owner } = await platform.account(100);
    const { key } = await limitedKey(owner, 5, period);
    const answers = [];
    for (let i = 0; i < 3; i++)
      answers.push(await platform.request("POST", "/api/call/test-work", { key, body: {} }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 402]);
    expect(answers[2]?.body).toMatchObject({ error: "spend_limit_reached", message: expect.any(String) });
    expect((await platform.request("POST", "/api/call/test-inline", { key, body: {} })).status).toBe(200);
    expect((await platform.request("POST", "/api/call/test-inline", { key, body: {} })).status).toBe(402);
    expect((await platform.request("POST", "/api/call/test-work", { key: owner, body: {} })).status).toBe(
      200,
    );
  });
}

for (const [period, past] of [
  ["day", "1 day"],
  ["month", "1 month"],
] as const) {
  it(`starts a limit anew with the next ${period}`, async () => {
    const { key: owner } = await platform.account(100);
    const { id, key } = await limitedKey(owner, 2, period);
    const early = await begin(platform, key, "test-work", { mode: "hold" });
    expect((await platform.request("POST", "/api/call/test-work", { key, body: {} })).status).toBe(402);
    // Moves what was spent into the period before, as if the call had been made then.
    const { owner: db } = platform.database;
    await db.query("update calls set spend_window = (spend_window - $2::interval)::date where id = $1", [
      early,
      past,
    ]);
    await db.query(
      "update key_spend set window_start = (window_start - $2::interval)::date where key_id = $1",
      [id, past],
    );
    expect((await platform.request("POST", "/api/call/test-work", { key, body: {} })).status).toBe(200);
    expect((await platform.request("POST", "/api/call/test-work", { key, body: {} })).status).toBe(402);
    release(early);
    expect(await ended(platform, key, early)).toMatchObject({ status: "succeeded" });
  });
}

it("gives the limit back with a refund, of a queued and of an inline call", async () => {
  const { key: owner } = await platform.account(100);
  const { key } = await limitedKey(owner, 2, "total");
  for (const slug of ["test-work", "test-inline"]) {
    for (let i = 0; i < 3; i++) {
      const failed = await platform.request("POST", `/api/call/${slug}`, { key, body: { mode: "throw" } });
      expect(failed).toMatchObject({ status: 500, body: { refunded: true } });
    }
  }
  const waiting = await begin(platform, key, "test-work", { mode: "hold" });
  expect((await platform.request("POST", "/api/call/test-work", { key, body: {} })).status).toBe(402);
  await platform.request("POST", `/api/calls/${waiting}/cancel`, { key });
  expect(await ended(platform, key, waiting)).toMatchObject({ status: "cancelled", refunded: true });
  expect((await platform.request("POST", "/api/call/test-work", { key, body: {} })).status).toBe(200);
  expect((await platform.request("POST", "/api/call/test-inline", { key, body: {} })).status).toBe(402);
});

for (const [slug, price] of [
  ["test-inline", 1],
  ["test-work", 2],
] as const) {
  it(`never lets concurrent calls of ${slug} exceed a limit`, async () => {
    const { key: owner } = await platform.account(1_000);
    const { key } = await limitedKey(owner, 21, "total");
    const answers = await Promise.all(
      Array.from({ length: 80 }, () =>
        platform.request("POST", `/api/call/${slug}`, { key, body: {}, headers: ASYNC }),
      ),
    );
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(Math.floor(21 / price));
    expect(answers.filter(({ body }) => body.error === "spend_limit_reached")).toHaveLength(
      80 - Math.floor(21 / price),
    );
  });
}

it("counts a replayed call once against the limit", async () => {
  const { key: owner } = await platform.account(100);
  const { key } = await limitedKey(owner, 2, "total");
  const headers = { "idempotency-key": "one" };
  for (let i = 0; i < 3; i++) {
    expect((await platform.request("POST", "/api/call/test-work", { key, body: {}, headers })).status).toBe(
      200,
    );
  }
});

it("does not count MESH against a limit in USD", async () => {
  const { key: owner } = await platform.account(10);
  const { body } = await platform.request("POST", "/api/keys", {
    key: owner,
    body: { spend_limit: { currency: "USD", amount: "0.01", period: "total" } },
  });
  expect(
    (await platform.request("POST", "/api/call/test-work", { key: body.api_key, body: {} })).status,
  ).toBe(200);
});
