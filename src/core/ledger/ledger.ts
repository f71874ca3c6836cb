import type { Db } from "../db.ts";
import { AppError } from "../errors.ts";
import { CURRENCIES, type Currency, showAmount } from "../money.ts";

/** An entry as the API shows it: amounts are integers in MESH, decimal strings in USD. */
export type LedgerEntry = {
  readonly id: string;
  readonly kind: string;
  readonly currency: Currency;
  readonly delta: number | string;
  readonly balance_after: number | string;
  readonly call_id: string | null;
  readonly slug: string | null;
  readonly memo: string | null;
  readonly created: Date;
};

/** 52 bits: no entry has a larger number, and a larger one is no `bigint`. */
const ID = /^led_000([0-9a-f]{13})$/;
const showId = (id: number): string => `led_${id.toString(16).padStart(16, "0")}`;

/** An account's entries, newest first, from before the entry `before`; in one currency or in both. */
export async function readLedger(
  db: Db,
  accountId: string,
  page: {
    readonly currency?: Currency | undefined;
    readonly before?: string | undefined;
    readonly limit: number;
  },
): Promise<LedgerEntry[]> {
  const before = page.before === undefined ? null : Number.parseInt(ID.exec(page.before)?.[1] ?? "0", 16);
  const rows = await db.query<Omit<LedgerEntry, "id"> & { id: number; delta: number; balance_after: number }>(
    `select l.id, l.kind, l.currency, l.delta, l.balance_after, l.call_id, c.slug, l.memo, l.created_at as created
       from unnest($2::text[]) k(currency)
      cross join lateral page_of_ledger($1, k.currency, $3, $4) l
       left join lateral (select x.slug from calls x where x.id = l.call_id limit 1) c on true
      order by l.id desc limit $4`,
    [accountId, page.currency === undefined ? CURRENCIES : [page.currency], before, page.limit],
  );
  return rows.map((row) => ({
    ...row,
    id: showId(row.id),
    delta: showAmount(row.delta, row.currency),
    balance_after: showAmount(row.balance_after, row.currency),
  }));
}

/**
 * Credits an account outside of any call. `reference` names the cause: it is booked once, however often it is asked
 * for. Returns the balance after it. Throws `not_found`, `invalid_input`.
 */
export async function postGrant(
  db: Db,
  grant: {
    readonly accountId: string;
    readonly currency: Currency;
    readonly amount: number;
    readonly reference: string;
    readonly memo: string;
  },
): Promise<number> {
  if (!Number.isSafeInteger(grant.amount) || grant.amount <= 0) {
    throw new AppError("invalid_input", "A grant is a positive whole number of units.", { issues: [] });
  }
  const [row] = await db.query<{ verdict: string; balance: number }>(
    "select verdict, balance from post_entry($1, $2, 'grant', $3, $4, $5)",
    [grant.accountId, grant.currency, grant.amount, grant.reference, grant.memo],
    { repeatable: true },
  );
  if (row === undefined || row.verdict === "unknown_account")
    throw new AppError("not_found", "There is no such account.");
  return row.balance;
}
