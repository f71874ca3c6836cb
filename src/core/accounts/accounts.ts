import { createHash, randomBytes } from "node:crypto";
import type { Db } from "../db.ts";
import { AppError, invalidInput } from "../errors.ts";
import { newId } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { showAmount } from "../money.ts";
import { keyPrefix, newKey } from "./keys.ts";

/** Handles that would look like the service itself. */
const RESERVED_HANDLES = new Set([
  "meshforge", "admin", "administrator", "ledger", "root", "system", "api", "app", "mcp", "operator", "ops", "support",
  "security", "staff", "watchtower", "billing", "help", "official", "owner", "null", "undefined",
]); // prettier-ignore
const HANDLE = /^[a-z0-9-]+$/;
const HANDLE_TRIES = 5;

export type Account = {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly tier: "free" | "vip";
  readonly created: Date;
};

export type NewAccount = { readonly account: Account; readonly apiKey: string };

export type StarterGrants = { readonly mesh: number; readonly usdMicros: number };

/**
 * Opens an account with a first key and its starter grants. The handle is made up when none is asked for.
 * Throws `handle_taken`, `invalid_input`.
 */
export async function openAccount(
  db: Db,
  wish: { readonly handle?: string | undefined; readonly name?: string | undefined },
  starter: StarterGrants,
): Promise<NewAccount> {
  checkHandle(wish.handle);
  for (let attempt = 1; ; attempt++) {
    const handle = wish.handle ?? `agent-${randomBytes(5).toString("hex")}`;
    const opened = await tryToOpen(db, handle, wish.name ?? handle, starter);
    if (opened !== undefined) return opened;
    if (wish.handle !== undefined || attempt === HANDLE_TRIES) throw handleTaken(handle);
  }
}

async function tryToOpen(
  db: Db,
  handle: string,
  name: string,
  starter: StarterGrants,
): Promise<NewAccount | undefined> {
  const id = newId("acc");
  const apiKey = newKey();
  const [row] = await db.query<{ verdict: string }>(
    "select open_account($1, $2, $3, $4, $5, decode($6, 'hex'), $7, $8) as verdict",
    [id, handle, name, newId("key"), keyPrefix(apiKey), keyHash(apiKey), starter.mesh, starter.usdMicros],
  );
  if (row?.verdict !== "created") return undefined;
  return { account: await readAccount(db, id), apiKey };
}

function checkHandle(handle: string | undefined): void {
  if (handle === undefined) return;
  const { min, max } = LIMITS.handleChars;
  if (handle.length < min || handle.length > max || !HANDLE.test(handle)) {
    throw invalidInput([{ path: "handle", message: `A handle is ${min} to ${max} of a-z, 0-9 and -.` }]);
  }
  if (RESERVED_HANDLES.has(handle)) throw handleTaken(handle);
}

const handleTaken = (handle: string): AppError =>
  new AppError("handle_taken", `The handle ${handle} is not free.`);

/** SHA-256 of a key in hex: all that is kept of it. */
export const keyHash = (key: string): string => createHash("sha256").update(key).digest("hex");

/** The columns of an `Account`, from `accounts`. */
export const ACCOUNT = `id, handle, name, created_at as created,
  case when tier = 'vip' and (tier_until is null or tier_until > clock_now()) then 'vip' else 'free' end as tier`;

/** The account of this id. Throws `not_found`. */
export async function readAccount(db: Db, id: string): Promise<Account> {
  const [account] = await db.query<Account>(`select ${ACCOUNT} from accounts where id = $1`, [id]);
  if (account === undefined) throw new AppError("not_found", "There is no such account.");
  return account;
}

/** The account of this handle. Throws `not_found`. */
export async function findAccount(db: Db, handle: string): Promise<Account> {
  const [account] = await db.query<Account>(`select ${ACCOUNT} from accounts where handle = $1`, [handle]);
  if (account === undefined) throw new AppError("not_found", `There is no account ${handle}.`);
  return account;
}

/** What an account holds: MESH as an integer, USD as a decimal string. */
export async function readBalances(db: Db, accountId: string): Promise<{ MESH: number; USD: string }> {
  const rows = await db.query<{ currency: "MESH" | "USD"; amount: number }>(
    "select currency, amount from balances where account_id = $1",
    [accountId],
  );
  const amounts = new Map(rows.map(({ currency, amount }) => [currency, amount]));
  return { MESH: amounts.get("MESH") ?? 0, USD: String(showAmount(amounts.get("USD") ?? 0, "USD")) };
}

/** Sets the tier of an account; `days` bounds VIP. Throws `not_found`. */
export async function setTier(
  db: Db,
  handle: string,
  tier: "free" | "vip",
  days: number | undefined,
): Promise<Account> {
  const { id } = await findAccount(db, handle);
  await db.query(
    "update accounts set tier = $2, tier_until = clock_now() + $3::integer * interval '1 day' where id = $1",
    [id, tier, days ?? null],
  );
  return await readAccount(db, id);
}
