import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { makeCapability, openAccount, settle } from "./support.ts";

const RUNS = { numRuns: 150 } as const;
const RUNS_LIMIT_MS = 180_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await makeCapability(database.owner);
  await database.owner.query(
    "insert into capabilities (slug, version, active) values ('t-closed', '1', false)",
  );
});
afterAll(async () => {
  expect(await database.violations()).toBe(0);
  await database.drop();
});

const currency = fc.constantFrom("MESH", "USD");
const amount = fc.nat({ max: 12 });
/** A key with or without a limit, which may have ended, and has spent something already. */
const key = fc.record({
  limit: fc.option(fc.record({ currency, amount, period: fc.constantFrom("day", "month", "total") })),
  ended: fc.constantFrom(null, null, null, "revoked_at", "expires_at"),
  expiresLater: fc.boolean(),
  spent: fc.array(fc.record({ currency, price: fc.integer({ min: 1, max: 4 }) }), { maxLength: 2 }),
});
/** What is to be settled: some of it more than the account holds, under a key that was used before or not. */
const wish = fc.record({
  mesh: amount,
  usd: amount,
  key: fc.option(key),
  slug: fc.constantFrom("t-paid", "t-paid", "t-paid", "t-closed", "t-unknown"),
  currency,
  price: fc.nat({ max: 8 }),
  earlier: fc.constantFrom(null, null, "the same", "another", "the same, long ago"),
  keyed: fc.boolean(),
});
type Wish = typeof wish extends fc.Arbitrary<infer T> ? T : never;

/** Makes what a wish meets, and gives the wish as both functions take it. */
async function meet(scene: Wish) {
  const { owner } = database;
  const account = await openAccount(owner, 0);
  const give = "select post_entry($1, $2, 'grant', $3, null, 'test')";
  const credit = async (of: string, units: number): Promise<void> => {
    if (units > 0) await owner.query(give, [account.id, of, units]);
  };
  const item = {
    account_id: account.id,
    key_id: scene.key === null ? null : account.keyId,
    slug: scene.slug,
    price: scene.price,
    currency: scene.currency,
    state: "succeeded",
    output: "{}",
    idempotency_key: scene.keyed ? "again" : null,
    request: "this",
  } as const;
  const limit = scene.key?.limit ?? null;
  if (limit !== null) {
    await owner.query(
      "update api_keys set limit_currency = $2, limit_amount = 1000, limit_period = $3 where id = $1",
      [account.keyId, limit.currency, limit.period],
    );
  }
  for (const paid of scene.key?.spent ?? []) {
    await credit(paid.currency, paid.price);
    await settle(owner, [{ ...item, ...paid, slug: "t-paid", idempotency_key: null }]);
  }
  if (limit !== null)
    await owner.query("update api_keys set limit_amount = $2 where id = $1", [account.keyId, limit.amount]);
  if (scene.earlier !== null) {
    const request = scene.earlier === "another" ? "that" : "this";
    await settle(owner, [
      { ...item, slug: "t-paid", price: 0, key_id: null, idempotency_key: "again", request },
    ]);
    if (scene.earlier.endsWith("ago"))
      await owner.query(
        "update idempotency_keys set created_at = clock_now() - interval '25 hours' where account_id = $1",
        [account.id],
      );
  }
  await credit("MESH", scene.mesh);
  await credit("USD", scene.usd);
  if (scene.key?.expiresLater === true)
    await owner.query("update api_keys set expires_at = clock_now() + interval '1 hour' where id = $1", [
      account.keyId,
    ]);
  if (typeof scene.key?.ended === "string")
    await owner.query(`update api_keys set ${scene.key.ended} = clock_now() where id = $1`, [account.keyId]);
  return item;
}

it(
  "says of every call what settling it says then, and counts nothing",
  async () => {
    const met = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(wish, async (scene) => {
        const item = await meet(scene);
        const sha256 = Buffer.from(item.request.padEnd(32)).toString("hex");
        const asked = JSON.stringify([{ ord: 0, ...item, request_sha256: sha256 }]);
        const [said] = await database.owner.query<{
          verdict: string;
          call_id: string | null;
          balance: number | null;
        }>("select verdict, call_id, balance from authorise_calls($1)", [asked]);
        const [settled] = await settle(database.owner, [item]);
        const verdict = said?.verdict ?? "none";
        met.set(verdict, (met.get(verdict) ?? 0) + 1);
        expect(settled?.verdict).toBe(verdict === "payable" ? "accepted" : verdict);
        if (verdict === "replayed") expect(settled?.call_id).toBe(said?.call_id);
        const paid = verdict === "payable" ? item.price : 0;
        expect(settled?.balance).toBe((said?.balance ?? 0) - paid);
      }),
      RUNS,
    );
    expect([...met.keys()].toSorted()).toEqual([
    "insufficient_funds", "mismatch", "payable", "quarantined", "replayed", "spend_limit_reached", "unauthorized",
  ]); // prettier-ignore
  },
  RUNS_LIMIT_MS,
);
