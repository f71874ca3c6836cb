import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { newKey } from "../../src/core/accounts/keys.ts";
import { LIMITS } from "../../src/core/limits.ts";
import {
  type Answer,
  type RequestOptions,
  startTestPlatform,
  type TestPlatform,
} from "../support/platform.ts";
import { until } from "../support/until.ts";
import { expectError } from "./support.ts";

const DEAR = { "max-price": "0" };

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [], env: { MAX_QUEUED_PER_ACCOUNT: "1" } });
  await platform.database.owner.query("update capabilities set active = false where slug = 'test-cpu'");
  const { key } = await platform.account(0);
  await until(async () => (await call("test-cpu", { key, body: {} })).body.error === "quarantined");
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

const call = (slug: string, options: RequestOptions): Promise<Answer> =>
  platform.request("POST", `/api/call/${slug}`, options);
const INVALID = { mode: 7 };

it("asks for a key first, whatever else is wrong", async () => {
  for (const slug of ["no-such", "test-cpu", "test-inline"]) {
    expectError(await call(slug, { key: newKey(), body: "{", headers: DEAR }), 401, "unauthorized");
  }
});

it("then says that there is no such capability, before it looks at the body", async () => {
  const { key } = await platform.account(0);
  for (const body of [INVALID, "{", [], "x".repeat(LIMITS.bodyBytes + 1)]) {
    expectError(await call("no-such", { key, body, headers: DEAR }), 404, "unknown_capability");
  }
  expectError(
    await call("no-such", { key, body: "{}", headers: { "content-type": "text/plain" } }),
    404,
    "unknown_capability",
  );
});

it("then that the body cannot be read, before it looks at the capability", async () => {
  const { key } = await platform.account(0);
  expectError(await call("test-cpu", { key, body: "{", headers: DEAR }), 400, "invalid_input");
  const tooLarge = "x".repeat(LIMITS.bodyBytes + 1);
  expectError(await call("test-cpu", { key, body: tooLarge, headers: DEAR }), 413, "payload_too_large");
  const plain = { "content-type": "text/plain" };
  expectError(await call("test-cpu", { key, body: "{}", headers: plain }), 415, "unsupported_media_type");
});

it("then that the capability is quarantined, before it looks at what the body says", async () => {
  const { key } = await platform.account(0);
  for (const body of [INVALID, []]) {
    expectError(await call("test-cpu", { key, body, headers: DEAR }), 503, "quarantined");
  }
});

it("then the first call of an Idempotency-Key, whatever has become of the capability and the balance since", async () => {
  const { key } = await platform.account(1);
  const { owner } = platform.database;
  const again = { "idempotency-key": "the first" };
  const first = await call("test-inline", { key, body: { text: "a" }, headers: again });
  expect(first.status).toBe(200);
  await owner.query("update capabilities set active = false where slug = 'test-inline'");
  try {
    await until(async () => (await call("test-inline", { key, body: {} })).status === 503);
    const replay = await call("test-inline", { key, body: { text: "a" }, headers: { ...again, ...DEAR } });
    expect(replay.status).toBe(200);
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(replay.body).toMatchObject({ call_id: first.body.call_id, result: { text: "a" }, balance: 0 });
    for (const body of [{ text: "b" }, INVALID, []]) {
      expectError(await call("test-inline", { key, body, headers: again }), 422, "idempotency_mismatch");
    }
  } finally {
    await owner.query("update capabilities set active = true where slug = 'test-inline'");
    await until(async () => (await call("test-inline", { key, body: {} })).status !== 503);
  }
});

it.each([
  ["test-work", {}],
  ["test-state", { purse: "p" }],
  ["test-run", {}],
] as const)("does so for %s, too", async (slug, body) => {
  const { key } = await platform.account(5);
  const { owner } = platform.database;
  const headers = { "idempotency-key": "the first", prefer: "respond-async" };
  const first = await call(slug, { key, body, headers });
  expect(first.body.ok).toBe(true);
  await owner.query("update capabilities set active = false where slug = $1", [slug]);
  try {
    await until(async () => (await call(slug, { key, body })).body.error === "quarantined");
    const replay = await call(slug, { key, body, headers: { ...headers, ...DEAR } });
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(replay.body).toMatchObject({ ok: true, call_id: first.body.call_id });
  } finally {
    await owner.query("update capabilities set active = true where slug = $1", [slug]);
    await until(async () => (await call(slug, { key, body })).body.error !== "quarantined");
  }
});

it("then that the input is invalid, before it looks at the price", async () => {
  const { key } = await platform.account(0);
  for (const slug of ["test-inline", "test-work"]) {
    expectError(await call(slug, { key, body: INVALID, headers: DEAR }), 400, "invalid_input");
  }
});

it("then that the price is above Max-Price, before it looks at what the account holds", async () => {
  const { key } = await platform.account(0);
  const answer = await call("test-work", { key, body: {}, headers: DEAR });
  expectError(answer, 402, "price_above_max");
  expect(answer.body).toMatchObject({ price: 2, max_price: 0, currency: "MESH" });
});

it("then that the key's spend limit is reached, before it looks at what the account holds", async () => {
  const { key } = await platform.account(0);
  const spend_limit = { currency: "MESH", amount: 1, period: "total" };
  const limited = (await platform.request("POST", "/api/keys", { key, body: { spend_limit } })).body.api_key;
  expectError(await call("test-work", { key: limited, body: {} }), 402, "spend_limit_reached");
});

it("then that the account does not hold the price, before it looks at the queue", async () => {
  const { key } = await platform.account(3);
  const wait = { prefer: "respond-async" };
  expect((await call("test-work", { key, body: {}, headers: wait })).status).toBe(202);
  const answer = await call("test-work", { key, body: {}, headers: wait });
  expectError(answer, 402, "insufficient_funds");
  expect(answer.body).toEqual({
    error: "insufficient_funds",
    message: expect.any(String),
    required: 2,
    balance: 1,
    currency: "MESH",
    buy_url: expect.stringMatching(/\/api\/account\/buy$/),
  });
});

it("and last that the queue is full, uncharged", async () => {
  const { key } = await platform.account(10);
  const headers = { prefer: "respond-async" };
  expect((await call("test-work", { key, body: {}, headers })).status).toBe(202);
  const answer = await call("test-work", { key, body: {}, headers });
  expectError(answer, 429, "queue_full");
  expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
  expect((await platform.request("GET", "/api/account", { key })).body.balance).toBe(8);
});

it("takes a call at exactly its Max-Price", async () => {
  const { key } = await platform.account(10);
  expect((await call("test-inline", { key, body: {}, headers: { "max-price": "1" } })).status).toBe(200);
  expect((await call("test-inline", { key, body: {}, headers: { "max-price": "1.5" } })).status).toBe(200);
  expectError(
    await call("test-inline", { key, body: {}, headers: { "max-price": "0.99" } }),
    402,
    "price_above_max",
  );
});

it("runs nothing of an inline capability for a call that is refused, or was made before", async () => {
  // A handler that throws is told to the log: so it shows whether it ran.
  const ran = vi.spyOn(platform.runtime.log, "error").mockImplementation(() => undefined);
  try {
    const body = { mode: "throw" };
    const { key: poor } = await platform.account(0);
    expectError(await call("test-inline", { key: poor, body }), 402, "insufficient_funds");
    const { key } = await platform.account(10);
    const spend_limit = { currency: "MESH", amount: 0, period: "total" };
    const { body: made } = await platform.request("POST", "/api/keys", { key, body: { spend_limit } });
    expectError(await call("test-inline", { key: made.api_key, body }), 402, "spend_limit_reached");
    expectError(await call("test-inline", { key, body, headers: DEAR }), 402, "price_above_max");
    expect(ran).not.toHaveBeenCalled();
    const headers = { "idempotency-key": "thrown" };
    const first = await call("test-inline", { key, body, headers });
    expect(first).toMatchObject({ status: 500, body: { refunded: true } });
    expect(ran).toHaveBeenCalledTimes(1);
    const again = await call("test-inline", { key, body, headers });
    expect(again.body.call_id).toBe(first.body.call_id);
    expectError(await call("test-inline", { key, body: {}, headers }), 422, "idempotency_mismatch");
    expect(ran).toHaveBeenCalledTimes(1);
  } finally {
    ran.mockRestore();
  }
});
