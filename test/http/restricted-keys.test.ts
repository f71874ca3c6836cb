import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKey, revokeKey } from "../../src/core/accounts/api-keys.ts";
import { rotateSecret } from "../../src/core/webhooks/secrets.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { balance, entries } from "../support/calls.ts";
import { expectError } from "./support.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

type Keys = {
  readonly accountId: string;
  readonly owner: string;
  readonly other: string;
  readonly otherId: string;
};

/** An account whose owner has made it another key. */
async function twoKeys(wish: object): Promise<Keys> {
  const { id, key } = await platform.account(50);
  const { body } = await platform.request("POST", "/api/keys", { key, body: wish });
  return { accountId: id, owner: key, other: body.api_key, otherId: body.key.id };
}

const unused = (keys: readonly object[]) => keys.map((key) => ({ ...key, last_used_at: null }));
const UNLIMITED = { name: "all", expiresAt: null, spendLimit: null };
const SOON = new Date(Date.now() + 3_600_000).toISOString();
const RESTRICTED: ReadonlyMap<string, object> = new Map<string, object>([
  ["a limit of 1 MESH", { spend_limit: { currency: "MESH", amount: 1, period: "total" } }],
  ["a limit in dollars", { spend_limit: { currency: "USD", amount: "1.00", period: "day" } }],
  ["an expiry", { expires_at: SOON }],
]);
/** Every route that changes the keys or the secrets of an account. */
const MANAGING = [
  ["POST", "/api/keys"],
  ["DELETE", "/api/keys/:own"],
  ["DELETE", "/api/keys/:first"],
  ["DELETE", "/api/keys/key_unknown"],
  ["POST", "/api/webhooks/secret"],
] as const;

describe.each([...RESTRICTED.keys()])("a key with %s", (what) => {
  it.each(MANAGING)("is 403 at %s %s, whatever the body, and changes nothing", async (method, path) => {
    const { owner, other, otherId } = await twoKeys(RESTRICTED.get(what) ?? {});
    const list = async () => (await platform.request("GET", "/api/keys", { key: owner })).body.keys;
    const before = await list();
    const first = before.find(({ id }: { id: string }) => id !== otherId).id;
    const at = path.replace(":own", otherId).replace(":first", first);
    for (const body of method === "POST" ? [{}, { name: "" }, "{not json"] : [undefined]) {
      const answer = await platform.request(method, at, {
        key: other,
        ...(body === undefined ? {} : { body }),
      });
      expectError(answer, 403, "key_restricted");
    }
    expect(unused(await list())).toEqual(unused(before));
    const hooked = await platform.request("POST", "/api/call/test-inline?webhook=https://example.com/", {
      key: owner,
      body: {},
    });
    expectError(hooked, 400, "webhook_secret_missing");
  });

  it("still sees its account's keys, and pays", async () => {
    const { other } = await twoKeys(RESTRICTED.get(what) ?? {});
    expect((await platform.request("GET", "/api/keys", { key: other })).body.keys).toHaveLength(2);
    expect((await call(other, "test-inline")).status).toBe(200);
  });
});

const call = (key: string, slug: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  platform.request("POST", `/api/call/${slug}`, { key, body: BODIES[slug] ?? {}, headers });
const BODIES: Readonly<Record<string, object>> = { "test-state": { purse: "p1" } };

/** As another process revokes it: this one has just read that the key holds, and goes on believing so for seconds. */
const revokeElsewhere = ({ otherId }: Keys) =>
  platform.database.owner.query("update api_keys set revoked_at = clock_now() where id = $1", [otherId]);

describe("a key that was revoked a moment ago in another process", () => {
  it.each(["test-inline", "test-work", "test-state", "test-run"])("pays for no call of %s", async (slug) => {
    const keys = await twoKeys({});
    expect((await call(keys.other, slug, { "idempotency-key": "before" })).status).toBe(200);
    const [paid, booked] = [await balance(platform, keys.accountId), await entries(platform, keys.accountId)];
    await revokeElsewhere(keys);
    for (const headers of [{}, { "idempotency-key": "new" }, { "idempotency-key": "before" }]) {
      expectError(await call(keys.other, slug, headers), 401, "unauthorized");
    }
    expect(await balance(platform, keys.accountId)).toBe(paid);
    expect(await entries(platform, keys.accountId)).toEqual(booked);
    expect((await call(keys.owner, slug)).status).toBe(200);
  });

  it("makes and revokes no key and no secret, although it passed as valid", async () => {
    const keys = await twoKeys({});
    expect((await call(keys.other, "test-inline")).status).toBe(200);
    await revokeElsewhere(keys);
    for (const [method, path] of MANAGING) {
      const answer = await platform.request(method, path.replace(":own", keys.otherId), { key: keys.other });
      expectError(answer, 401, "unauthorized");
    }
    expect((await platform.request("GET", "/api/keys", { key: keys.owner })).body.keys).toHaveLength(2);
  });
});

it("keys of one account that revoke one another at once leave one of them", async () => {
  const keys = await twoKeys({});
  const { db } = platform.services;
  const all = await db.query<{ id: string }>("select id from api_keys where account_id = $1", [
    keys.accountId,
  ]);
  const [a = "", b = ""] = all.map(({ id }) => id);
  const by = (keyId: string) => ({ accountId: keys.accountId, keyId });
  const ends = await Promise.allSettled([revokeKey(db, by(a), b), revokeKey(db, by(b), a)]);
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

it("a key of one account changes nothing in another, whatever it is asked for", async () => {
  const [mine, theirs] = [await twoKeys({}), await twoKeys({})];
  const { db, keyRing } = platform.services;
  const intruder = { accountId: theirs.accountId, keyId: mine.otherId };
  for (const attempt of [
    () => createKey(db, intruder, UNLIMITED),
    () => revokeKey(db, intruder, theirs.otherId),
    () => rotateSecret(db, keyRing, intruder),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: "unauthorized" });
  }
});
