import type { Db } from "../db.ts";
import { AppError } from "../errors.ts";
import { LEDGER_ENTRY, type LedgerEntry, type LedgerRow, pageOfLedger, toEntry } from "../ledger/ledger.ts";
import { LIMITS } from "../limits.ts";
import { CURRENCIES, showAmount } from "../money.ts";
import { ACCOUNT, type Account } from "./accounts.ts";

/** An account with what it holds, its mind and its newest entries, all of one moment. */
export type Statement = Account & {
  readonly balances: { readonly MESH: number; readonly USD: string };
  readonly mind: number;
  readonly ledger: readonly LedgerEntry[];
};

type Row = Account & { readonly mesh: number; readonly usd: number; readonly mind: number } & {
  readonly [column in keyof LedgerRow as `l_${column}`]: LedgerRow[column] | null;
};

/**
 * Reads an account as of one moment: one statement, because between two of them a call may be charged, and the balance
 * would not be that of the newest entry. Throws `not_found`.
 */
export async function readStatement(db: Db, accountId: string): Promise<Statement> {
  const rows = await db.query<Row>(
    `with own as materialized (
       select ${ACCOUNT}, memory_gravity(a.id, clock_now()) as mind,
              coalesce((select b.amount from balances b where b.account_id = a.id and b.currency = 'MESH'), 0) as mesh,
              coalesce((select b.amount from balances b where b.account_id = a.id and b.currency = 'USD'), 0) as usd
         from accounts a where a.id = $1)
     select own.*, ${LEDGER_ENTRY.map((column) => `l.${column} as l_${column}`).join(", ")}
       from own left join lateral (${pageOfLedger("$1", "$2", "null", "$3")}) l on true
      order by l.id desc`,
    [accountId, CURRENCIES, LIMITS.pageRowsDefault],
  );
  const [first] = rows;
  if (first === undefined) throw new AppError("not_found", "There is no such account.");
  const { id, handle, name, tier, created, mind } = first;
  return {
    id,
    handle,
    name,
    tier,
    created,
    mind,
    balances: { MESH: first.mesh, USD: String(showAmount(first.usd, "USD")) },
    ledger: rows.filter((row) => row.l_id !== null).map((row) => toEntry(ledgerRow(row))),
  };
}

const ledgerRow = (row: Row): LedgerRow =>
  Object.fromEntries(LEDGER_ENTRY.map((column) => [column, row[`l_${column}`]])) as LedgerRow;
