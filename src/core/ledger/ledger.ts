import { checkCursor, unknownCursor } from "../cursor.ts";
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

/** An entry as it is read, by the columns of `pageOfLedger`. */
export type LedgerRow = Omit<LedgerEntry, "id" | "delta" | "balance_after"> & {
  readonly id: number;
  readonly delta: number;
  readonly balance_after: number;
};
export const LEDGER_ENTRY = [
  "id", "kind", "currency", "delta", "balance_after", "call_id", "slug", "memo", "created",
] as const satisfies readonly (keyof LedgerRow)[]; // prettier-ignore

/** The query for an account's newest entries in some currencies, from parameters as they stand in the statement. */
export const pageOfLedger = (account: string, currencies: string, before: string, rows: string): string =>
  `select e.id, e.kind, e.currency, e.delta, e.balance_after, e.call_id, c.slug, e.memo, e.created_at as created
     from (select l.* from unnest(${currencies}::text[]) k(currency)
            cross join lateral page_of_ledger(${account}, k.currency, ${before}, ${rows}) l
            order by l.id desc limit ${rows}) e
     left join lateral (select x.slug from calls x where x.id = e.call_id limit 1) c on true
    order by e.id desc`;

export const toEntry = (row: LedgerRow): LedgerEntry => ({
  ...row,
  id: showId(row.id),
  delta: showAmount(row.delta, row.currency),
  balance_after: showAmount(row.balance_after, row.currency),
});

/**
 * An account's entries, newest first, from before the entry `before`; in one currency or in both. Throws `invalid_input`
 * for a `before` that is no entry of the account.
 */
export async function readLedger(
  db: Db,
  accountId: string,
  page: {
    readonly currency?: Currency | undefined;
    readonly before?: string | undefined;
    readonly limit: number;
  },
): Promise<LedgerEntry[]> {
  const before = page.before === undefined ? null : numberOf(page.before);
  if (before !== null)
    await checkCursor(db, "select from ledger where id = $1 and account_id = $2", [before, accountId]);
  const currencies = page.currency === undefined ? CURRENCIES : [page.currency];
  const rows = await db.query<LedgerRow>(pageOfLedger("$1", "$2", "$3", "$4"), [
    accountId,
    currencies,
    before,
    page.limit,
  ]);
  return rows.map(toEntry);
}

function numberOf(id: string): number {
  const hex = ID.exec(id)?.[1];
  if (hex === undefined) throw unknownCursor();
  return Number.parseInt(hex, 16);
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
