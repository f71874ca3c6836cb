import pg from "pg";
import { placeOutputs } from "../../src/core/calls/outputs.ts";
import { newId } from "../../src/core/ids.ts";
import type { Db } from "../../src/core/db.ts";

/** One connection, for transactions that a test drives step by step. */
export async function openSession(url: string): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  return session;
}

/** Opens an account that holds `mesh`; gives its id and the id of its key. */
export async function openAccount(
  db: Db,
  mesh: number,
): Promise<{ readonly id: string; readonly keyId: string }> {
  const id = newId("acc");
  const keyId = newId("key");
  await db.query("select open_account($1, $1, 'test', $2, 'mf_test', decode(md5($2), 'hex'), $3, 0)", [
    id,
    keyId,
    mesh,
  ]);
  return { id, keyId };
}

export type Item = {
  readonly id?: string;
  readonly account_id: string;
  readonly key_id?: string | null;
  readonly slug?: string;
  readonly price?: number;
  readonly currency?: "MESH" | "USD";
  readonly state?: "queued" | "succeeded" | "failed";
  readonly output?: string;
  readonly idempotency_key?: string | null;
  readonly request?: string;
};
export type Settled = {
  readonly ord: number;
  readonly verdict: string;
  readonly call_id: string;
  readonly balance: number | null;
};

const HASH = "00".repeat(32);
const OUTCOMES = {
  queued: { input: "{}" },
  succeeded: { output: "{}", output_sha256: HASH },
  failed: { error_code: "internal_error", error_message: "It failed." },
} as const;

/** Calls, and beside them their outputs, as the functions take them. */
function withOutputs(
  calls: readonly { readonly state: string; readonly output?: string }[],
): [items: string, outputs: Buffer] {
  const { items, outputs } = placeOutputs(calls);
  return [JSON.stringify(items), outputs];
}

/** Settles a list of calls of the test's own capability `t-paid` in the pool `brain`. */
export async function settle(db: Db, items: readonly Item[], maxQueued = 1_000): Promise<Settled[]> {
  const rows = items.map((item, ord) => ({
    ord,
    id: newId("call"),
    key_id: null,
    slug: "t-paid",
    version: "1.0.0",
    pool: "brain",
    priority: 0,
    price: 5,
    currency: "MESH",
    state: "queued",
    max_attempts: 3,
    timeout_ms: 60_000,
    deadline_ms: 600_000,
    input_sha256: HASH,
    idempotency_key: null,
    request_sha256: Buffer.from((item.request ?? "").padEnd(32)).toString("hex"),
    ...OUTCOMES[item.state ?? "queued"],
    ...item,
  }));
  return await db.query<Settled>("select ord, verdict, call_id, balance from settle_calls($1, $2, $3)", [
    ...withOutputs(rows),
    maxQueued,
  ]);
}

/** Settles one call that must be accepted; gives its id. */
export async function settleOne(db: Db, item: Item): Promise<string> {
  const [settled] = await settle(db, [item]);
  if (settled?.verdict !== "accepted") throw new Error(`not accepted: ${settled?.verdict}`);
  return settled.call_id;
}

/** Makes the capability that `settle` calls. */
export async function makeCapability(db: Db): Promise<void> {
  await db.query(
    "insert into capabilities (slug, version) values ('t-paid', '1.0.0') on conflict do nothing",
  );
}

/** Claims all that waits for a worker. */
export async function claim(db: Db, worker: string, slots = 100): Promise<{ id: string; attempt: number }[]> {
  return await db.query("select id, attempt from claim_calls('brain', $1, $2, 60000)", [slots, worker]);
}

export type End = {
  readonly id: string;
  readonly attempt: number;
  readonly worker: string;
  readonly state: string;
  readonly output?: string;
};

/** Reports ends as a worker does. */
export async function end(db: Db, ends: readonly End[]): Promise<{ id: string; verdict: string }[]> {
  const rows = ends.map((item, ord) => ({
    ord,
    ...item,
    ...(item.state === "succeeded"
      ? { ...OUTCOMES.succeeded, output: item.output ?? OUTCOMES.succeeded.output }
      : { error_code: item.state, error_message: "It ended." }),
  }));
  return await db.query("select id, verdict from end_calls($1, $2)", withOutputs(rows));
}

/** A well-formed entry that continues the ledger, with the balance that goes with it; what a planted bug would write. */
export const ENTRY = `
  with held as (
    update balances set amount = amount + $2, entries = entries + 1 where account_id = $1 and currency = 'MESH'
    returning amount, entries
  )
  insert into ledger (account_id, currency, seq, kind, delta, balance_after, call_id)
  select $1, 'MESH', entries, $3, $2, amount, $4 from held`;
