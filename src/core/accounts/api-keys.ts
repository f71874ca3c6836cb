import type { Db } from "../db.ts";
import { AppError } from "../errors.ts";
import { newId } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { showAmount } from "../money.ts";
import { keyHash } from "./accounts.ts";
import { keyPrefix, newKey } from "./keys.ts";
import { checkManager, type Manager } from "./manager.ts";

/** Units as in the ledger: MESH whole, USD in micro-dollars. */
export type SpendLimit = {
  readonly currency: "MESH" | "USD";
  readonly amount: number;
  readonly period: "day" | "month" | "total";
};

/** A key as the API shows it; never the key itself. */
export type KeyView = {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly created: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
  readonly spend_limit: {
    readonly currency: string;
    readonly amount: number | string;
    readonly period: string;
  } | null;
};

type KeyRow = Omit<KeyView, "spend_limit"> & {
  readonly limit_currency: "MESH" | "USD" | null;
  readonly limit_amount: number | null;
  readonly limit_period: string | null;
};

const KEY = `id, name, prefix, created_at as created, expires_at, last_used_at, revoked_at,
  limit_currency, limit_amount, limit_period`;

function toView({ limit_currency, limit_amount, limit_period, ...key }: KeyRow): KeyView {
  if (limit_currency === null || limit_amount === null || limit_period === null)
    return { ...key, spend_limit: null };
  const amount = showAmount(limit_amount, limit_currency);
  return { ...key, spend_limit: { currency: limit_currency, amount, period: limit_period } };
}

/** The keys of an account, newest first: all that were not revoked, and of the revoked ones those among the newest. */
export async function listKeys(db: Db, accountId: string): Promise<KeyView[]> {
  const rows = await db.query<KeyRow>(
    `select ${KEY} from (select * from page_of_keys($1, $2) union select * from page_of_held_keys($1, $2)) k
      order by id desc`,
    [accountId, LIMITS.pageScanRows],
  );
  return rows.map(toView);
}

/**
 * Makes a further key; its text is given this once. Throws `unauthorized`, `key_restricted`, and `invalid_input` past the
 * number that an account may have, which binds no operator.
 */
export async function createKey(
  db: Db,
  { accountId, keyId }: Manager,
  wish: { readonly name: string; readonly expiresAt: Date | null; readonly spendLimit: SpendLimit | null },
): Promise<{ key: KeyView; apiKey: string }> {
  const apiKey = newKey();
  const limit = wish.spendLimit;
  const id = newId("key");
  const [made] = await db.query<{ verdict: string }>(
    "select create_key($1, $2, $3, $4, $5, decode($6, 'hex'), $7, $8, $9, $10, $11) as verdict",
    [
      keyId, id, accountId, wish.name, keyPrefix(apiKey), keyHash(apiKey), wish.expiresAt,
      limit?.currency ?? null, limit?.amount ?? null, limit?.period ?? null,
      keyId === null ? null : LIMITS.keysPerAccount,
    ], // prettier-ignore
  );
  checkManager(made?.verdict);
  if (made?.verdict === "full") {
    throw new AppError(
      "invalid_input",
      `An account has at most ${LIMITS.keysPerAccount} keys. Revoke one first.`,
      {
        issues: [],
      },
    );
  }
  const [row] = await db.query<KeyRow>(`select ${KEY} from api_keys where id = $1`, [id]);
  if (row === undefined) throw new Error(`the key ${id} that was made is not there`);
  return { key: toView(row), apiKey };
}

/** Revokes a key, for good; doing it again changes nothing. Throws `unauthorized`, `key_restricted`, `not_found`. */
export async function revokeKey(db: Db, { accountId, keyId }: Manager, revoked: string): Promise<void> {
  const [row] = await db.query<{ verdict: string }>("select revoke_key($1, $2, $3) as verdict", [
    keyId,
    accountId,
    revoked,
  ]);
  checkManager(row?.verdict);
  if (row?.verdict === "unknown") throw new AppError("not_found", "There is no such key of this account.");
}
