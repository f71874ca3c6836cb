import { randomUUID } from "node:crypto";
import { createKey } from "../core/accounts/api-keys.ts";
import { findAccount, setTier } from "../core/accounts/accounts.ts";
import { readStatement } from "../core/accounts/statement.ts";
import { type LedgerEntry, postGrant } from "../core/ledger/ledger.ts";
import { type Currency, showAmount, usd } from "../core/money.ts";
import { withDatabase } from "./database-url.ts";
import { table } from "./table.ts";

const WHOLE_MESH = /^\d{1,12}$/;

/** Shows an account, what it holds, and its newest ledger entries. */
export async function show(handle: string): Promise<void> {
  await withDatabase(async (db) => {
    const { id, tier, balances, ledger } = await readStatement(db, (await findAccount(db, handle)).id);
    console.log(`${handle} (${id}, ${tier}): ${balances.MESH} MESH, ${balances.USD} USD\n`);
    console.log(ledgerTable(ledger));
  });
}

/** The ledger as a table, newest first. */
export const ledgerTable = (entries: readonly LedgerEntry[]): string =>
  table(
    ["time", "kind", "delta", "balance", "", "call or memo"],
    entries.map((entry) => [
      new Date(entry.created).toISOString(),
      entry.kind,
      String(entry.delta),
      String(entry.balance_after),
      entry.currency,
      entry.call_id === null ? (entry.memo ?? "") : `${entry.slug} ${entry.call_id}`,
    ]),
  );

/** Credits an account. */
export async function grant(handle: string, amount: string, currency: string): Promise<void> {
  if (currency !== "MESH" && currency !== "USD") throw new Error("The currency is MESH or USD.");
  const units = toUnits(amount, currency);
  await withDatabase(async (db) => {
    const { id } = await findAccount(db, handle);
    const reference = `operator:${randomUUID()}`;
    const balance = await postGrant(db, {
      accountId: id,
      currency,
      amount: units,
      reference,
      memo: "granted by an operator",
    });
    console.log(`${handle} holds ${showAmount(balance, currency)} ${currency} now.`);
  });
}

function toUnits(amount: string, currency: Currency): number {
  if (currency === "USD") return usd(amount).amount;
  if (!WHOLE_MESH.test(amount)) throw new Error(`${amount} is no whole amount of MESH.`);
  return Number(amount);
}

/** Makes an account a further key without limits, and prints it alone. Its other keys stay valid. */
export async function key(handle: string): Promise<void> {
  const { apiKey } = await withDatabase(async (db) => {
    const { id } = await findAccount(db, handle);
    const wish = { name: "made by an operator", expiresAt: null, spendLimit: null };
    return await createKey(db, { accountId: id, keyId: null }, wish);
  });
  console.log(apiKey);
}

/** Sets the tier of an account. */
export async function tier(handle: string, wish: string, days: number | undefined): Promise<void> {
  if (wish !== "vip" && wish !== "free") throw new Error("The tier is vip or free.");
  const account = await withDatabase((db) => setTier(db, handle, wish, days));
  console.log(`${account.handle} is ${account.tier} now.`);
}
