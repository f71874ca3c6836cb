import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newKey } from "../../src/core/accounts/keys.ts";
import { LIMITS } from "../../src/core/limits.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { asAnswer, expectError, rawRequest } from "./support.ts";
import { letPass } from "../support/let-pass.ts";
import { until } from "../support/until.ts";

const DAY_MS = 86_400_000;
const REVOKED_WITHIN_MS = 5_000;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

const create = (key: string, body?: unknown): Promise<Answer> =>
  platform.request("POST", "/api/keys", { key, ...(body === undefined ? {} : { body }) });
const call = (key: string): Promise<Answer> =>
  platform.request("POST", "/api/call/test-inline", { key, body: {} });

describe("keys", () => {
  it("are made, shown once, listed without their secret, and revoked", async () => {
    const { key } = await platform.account();
    const expires = new Date(Date.now() + DAY_MS).toISOString();
    const made = await create(key, { name: "ci", expires_at: expires });
    expect(made.status).toBe(201);
    expect(made.body.key).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
      name: "ci",
      prefix: made.body.api_key.slice(0, 9),
      created: expect.any(String),
      expires_at: expires,
      last_used_at: null,
      revoked_at: null,
      spend_limit: null,
    });
    expect((await call(made.body.api_key)).status).toBe(200);

    const list = await platform.request("GET", "/api/keys", { key });
    expect(list.body.keys).toHaveLength(2);
    expect(JSON.stringify(list.body)).not.toContain(made.body.api_key);

    const revoked = await platform.request("DELETE", `/api/keys/${made.body.key.id}`, { key });
    expect(revoked.status).toBe(204);
    expect(revoked.body).toBe("");
    const after = await platform.request("GET", "/api/keys", { key });
    const shown = after.body.keys.find(({ id }: { id: string }) => id === made.body.key.id);
    expect(shown.revoked_at).toEqual(expect.any(String));
  });

  it("are stored as their hash only", async () => {
    const { key } = await platform.account();
    const rows = await platform.database.owner.query("select * from api_keys");
    expect(JSON.stringify(rows)).not.toContain(key.slice(9));
  });

  it("stop working within 5 seconds of being revoked, also where they were just used", async () => {
    const { key } = await platform.account();
    const { body } = await create(key);
    expect((await call(body.api_key)).status).toBe(200);
    await platform.request("DELETE", `/api/keys/${body.key.id}`, { key });
    const revokedAt = Date.now();
    await until(async () => {
      const askedAfterMs = Date.now() - revokedAt;
      if ((await call(body.api_key)).status === 401) return true;
      // However long its answer takes: what is asked later is refused.
      expect(askedAfterMs).toBeLessThan(REVOKED_WITHIN_MS);
      return false;
    });
  });

  it("stop working when they expire", async () => {
    const { key } = await platform.account();
    // A busy machine may not come to use a key that lasts for a moment: then one that lasts longer is made.
    for (let lastsMs = 2_000, used = false; !used; lastsMs *= 4) {
      const expiresAt = Date.now() + lastsMs;
      const { body } = await create(key, { expires_at: new Date(expiresAt).toISOString() });
      const { status } = await call(body.api_key);
      used = Date.now() < expiresAt;
      if (used) expect(status).toBe(200);
      await letPass(Math.max(0, expiresAt - Date.now()) + 50);
      expectError(await call(body.api_key), 401, "unauthorized");
    }
  });

  it("note when they were last used", async () => {
    const { key } = await platform.account();
    await call(key);
    const lastUsedAt = await until(
      async () => (await platform.request("GET", "/api/keys", { key })).body.keys[0].last_used_at,
    );
    expect(lastUsedAt).toEqual(expect.any(String));
  });

  it("may be revoked twice; the first time counts", async () => {
    const { key } = await platform.account();
    const { body } = await create(key);
    const revoke = (): Promise<Answer> => platform.request("DELETE", `/api/keys/${body.key.id}`, { key });
    const revokedAt = async (): Promise<string> => {
      const { keys } = (await platform.request("GET", "/api/keys", { key })).body;
      return keys.find(({ id }: { id: string }) => id === body.key.id).revoked_at;
    };
    expect((await revoke()).status).toBe(204);
    const first = await revokedAt();
    expect((await revoke()).status).toBe(204);
    expect(await revokedAt()).toBe(first);
  });

  it("of another account are not found, and go on working", async () => {
    const mine = await platform.account();
    const theirs = await platform.account();
    const { body } = await create(theirs.key);
    expectError(
      await platform.request("DELETE", `/api/keys/${body.key.id}`, { key: mine.key }),
      404,
      "not_found",
    );
    expect((await call(body.api_key)).status).toBe(200);
  });

  it.each(["key_0", "x", "%F0%9F%98%80", "a".repeat(300)])("are not found as %s", async (id) => {
    const { key } = await platform.account();
    expectError(await platform.request("DELETE", `/api/keys/${id}`, { key }), 404, "not_found");
  });

  it("are as many as an account may have, and revoking one makes room", async () => {
    const { key } = await platform.account();
    const made = await Promise.all(Array.from({ length: LIMITS.keysPerAccount - 1 }, () => create(key)));
    expectError(await create(key), 400, "invalid_input");
    await platform.request("DELETE", `/api/keys/${made[0]?.body.key.id}`, { key });
    expect((await create(key)).status).toBe(201);
  });

  it("are never more than an account may have, also when many are asked for at once", async () => {
    const { key } = await platform.account();
    const answers = await Promise.all(Array.from({ length: LIMITS.keysPerAccount + 20 }, () => create(key)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(LIMITS.keysPerAccount - 1);
  });

  it.each([
    { name: "" },
    { name: "n".repeat(81) },
    { name: 1 },
    { expires_at: "tomorrow" },
    { expires_at: "2001-01-01T00:00:00Z" },
    { expires_at: "2999-02-30T00:00:00Z" },
    { expires_at: 99_999_999_999 },
    { spend_limit: 5 },
    { spend_limit: {} },
    { spend_limit: { currency: "EUR", amount: 1, period: "day" } },
    { spend_limit: { currency: "MESH", amount: 1, period: "week" } },
    { spend_limit: { currency: "MESH", amount: "1", period: "day" } },
    { spend_limit: { currency: "MESH", amount: 1.5, period: "day" } },
    { spend_limit: { currency: "MESH", amount: -1, period: "day" } },
    { spend_limit: { currency: "MESH", amount: 1e15, period: "day" } },
    { spend_limit: { currency: "USD", amount: 1, period: "day" } },
    { spend_limit: { currency: "USD", amount: "1.1234567", period: "day" } },
    { spend_limit: { currency: "USD", amount: "-1", period: "day" } },
    { spend_limit: { currency: "MESH", amount: 1 } },
  ])("are refused for %j", async (body) => {
    const { key } = await platform.account();
    expectError(await create(key, body), 400, "invalid_input");
  });
});

describe("a spend limit", () => {
  it.each([
    { currency: "MESH", amount: 3, period: "day" },
    { currency: "MESH", amount: 0, period: "total" },
    { currency: "USD", amount: "2.50", period: "month" },
    { currency: "USD", amount: "0.000001", period: "total" },
  ])("comes back as it was given: %j", async (spendLimit) => {
    const { key } = await platform.account();
    const { status, body } = await create(key, { spend_limit: spendLimit });
    expect(status).toBe(201);
    expect(body.key.spend_limit).toEqual(spendLimit);
    expect((await platform.request("GET", "/api/keys", { key })).body.keys[0].spend_limit).toEqual(
      spendLimit,
    );
  });

  it("stops its key and no other, uncharged", async () => {
    const { key } = await platform.account(50);
    const { body } = await create(key, { spend_limit: { currency: "MESH", amount: 2, period: "day" } });
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await call(body.api_key)).status);
    expect(statuses).toEqual([200, 200, 402]);
    expectError(await call(body.api_key), 402, "spend_limit_reached");
    expect((await call(key)).body.balance).toBe(47);
  });

  it("holds also when many calls come at once", async () => {
    const { key } = await platform.account(50);
    const { body } = await create(key, { spend_limit: { currency: "MESH", amount: 5, period: "total" } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(body.api_key)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  });

  it("is given back by a refund", async () => {
    const { key } = await platform.account(50);
    const { body } = await create(key, { spend_limit: { currency: "MESH", amount: 1, period: "total" } });
    const fault = { key: body.api_key, body: { mode: "fault" } };
    expect((await platform.request("POST", "/api/call/test-inline", fault)).status).toBe(422);
    expect((await call(body.api_key)).status).toBe(200);
  });

  it("in dollars does not count MESH", async () => {
    const { key } = await platform.account(5);
    const { body } = await create(key, { spend_limit: { currency: "USD", amount: "0.00", period: "total" } });
    expect((await call(body.api_key)).status).toBe(200);
  });

  it("starts anew with the next window of its period", async () => {
    const { key } = await platform.account(5);
    const { body } = await create(key, { spend_limit: { currency: "MESH", amount: 1, period: "day" } });
    await call(body.api_key);
    expect((await call(body.api_key)).status).toBe(402);
    const { owner } = platform.database;
    await owner.query(
      "set session_replication_role = replica; update calls set spend_window = spend_window - 1 where key_id = '" +
        body.key.id +
        "'; set session_replication_role = origin",
    );
    await owner.query("update key_spend set window_start = window_start - 1 where key_id = $1", [
      body.key.id,
    ]);
    expect((await call(body.api_key)).status).toBe(200);
  });
});

const BAD_KEYS: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map<
  string,
  Readonly<Record<string, string>>
>([
  ["is missing", {}],
  ["is empty", { authorization: "Bearer " }],
  ["is malformed", { authorization: "Bearer mf_short" }],
  ["has a wrong checksum", { authorization: `Bearer mf_${"a".repeat(38)}` }],
  ["is unknown", { authorization: `Bearer ${newKey()}` }],
  ["comes under another scheme", { authorization: `Basic ${newKey()}` }],
  ["comes without a scheme", { authorization: newKey() }],
  ["has something after it", { authorization: `Bearer ${newKey()} x` }],
  ["is unknown in X-API-Key", { "x-api-key": newKey() }],
  ["is malformed in X-API-Key", { "x-api-key": "'; drop table accounts; --" }],
  ["is no ASCII", { "x-api-key": "mf_\u00e4\u00f6" }],
]);

describe("a key", () => {
  it.each([...BAD_KEYS.keys()])("that %s is 401 on every protected path, and nothing runs", async (what) => {
    const headers = BAD_KEYS.get(what) ?? {};
    for (const [method, path] of [
      ["POST", "/api/call/test-inline"],
      ["POST", "/api/call/no-such-capability"],
      ["GET", "/api/account"],
      ["GET", "/api/account/ledger?limit=nonsense"],
      ["GET", "/api/keys"],
      ["POST", "/api/keys"],
      ["DELETE", "/api/keys/key_1"],
      ["GET", "/api/calls"],
      ["GET", "/api/calls/call_1"],
      ["POST", "/api/calls/call_1/cancel"],
      ["GET", "/api/calls/call_1/events"],
    ] as const) {
      const answer = asAnswer(await rawRequest(platform, method, path, { headers }));
      expectError(answer, 401, "unauthorized");
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
    }
  });

  it("is taken from X-API-Key, and from Authorization whatever the case of its scheme", async () => {
    const { key } = await platform.account();
    for (const headers of [
      { "x-api-key": key },
      { authorization: `bearer ${key}` },
      { authorization: `BEARER ${key}` },
    ]) {
      expect((await platform.request("GET", "/api/account", { headers })).status).toBe(200);
    }
  });

  it("that is bad is told before the body is read", async () => {
    const huge = "x".repeat(2 * LIMITS.bodyBytes);
    for (const body of ["{not json", huge]) {
      for (const type of ["application/json", "text/plain"]) {
        const answer = await platform.request("POST", "/api/call/test-inline", {
          body,
          headers: { "content-type": type },
        });
        expectError(answer, 401, "unauthorized");
      }
    }
  });

  it("that is revoked or expired gives the same answer as one that never was", async () => {
    const { key } = await platform.account();
    const { body: made } = await create(key, { expires_at: new Date(Date.now() + DAY_MS).toISOString() });
    await platform.database.owner.query("update api_keys set expires_at = clock_timestamp() where id = $1", [
      made.key.id,
    ]);
    const revoked = (await create(key)).body;
    await platform.request("DELETE", `/api/keys/${revoked.key.id}`, { key });
    const bodies = [];
    for (const candidate of [made.api_key, revoked.api_key, newKey(), "x"])
      bodies.push((await call(candidate)).body);
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  });
});
