import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { checkManager, type Manager } from "../accounts/manager.ts";
import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import type { KeyRing } from "../secrets/key-ring.ts";
import { isSealedWithCurrent, open, seal } from "../secrets/seal.ts";

/** Standard Webhooks asks for 24 to 64 random bytes. */
const SECRET_BYTES = 32;
/** How long a replaced secret signs along. */
const OVERLAP = "24 hours";

/** What a stored secret is sealed for. */
const contextOf = (accountId: string): string => `webhook secret of ${accountId}`;

/**
 * Makes an account a new secret, and returns it: it is never shown again. The one before signs along for 24 hours; of
 * those that were replaced within that time, no more than `LIMITS.webhookOldSecrets` do. Throws `unauthorized`,
 * `key_restricted`.
 */
export async function rotateSecret(db: Db, keyRing: KeyRing, { accountId, keyId }: Manager): Promise<string> {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
  const sql = "select rotate_webhook_secret($1, $2, $3, $4::interval, $5) as verdict";
  const [row] = await db.query<{ verdict: string }>(sql, [
    keyId,
    accountId,
    seal(keyRing, secret, contextOf(accountId)),
    OVERLAP,
    LIMITS.webhookOldSecrets,
  ]);
  checkManager(row?.verdict);
  return secret;
}

/** Whether an account has a secret to sign with. */
export async function hasSecret(db: Db, accountId: string): Promise<boolean> {
  const rows = await db.query("select from webhook_secrets where account_id = $1 and retires_at is null", [
    accountId,
  ]);
  return rows.length > 0;
}

/** The secrets of an account as they sign, from how they are stored. Throws where one cannot be opened. */
export const openSecrets = (keyRing: KeyRing, accountId: string, sealed: readonly string[]): string[] =>
  sealed.map((secret) => open(keyRing, secret, contextOf(accountId)));

/** Seals all secrets anew that were sealed with the key before the current one, and says how many those were. */
export async function resealSecrets(db: Db, keyRing: KeyRing): Promise<number> {
  const rows = await db.query<{ id: number; account_id: string; secret: string }>(
    "select id, account_id, secret from webhook_secrets",
  );
  const due = rows.filter(({ secret }) => !isSealedWithCurrent(keyRing, secret));
  for (const { id, account_id, secret } of due) {
    const context = contextOf(account_id);
    await db.query("update webhook_secrets set secret = $3 where id = $1 and secret = $2", [
      id,
      secret,
      seal(keyRing, open(keyRing, secret, context), context),
    ]);
  }
  return due.length;
}

/**
 * The headers of a message as Standard Webhooks 1.0 describes them: one signature for each secret, with a space
 * between. The timestamp is that of the attempt, which bounds how long a copy of it is good for.
 */
export function signedHeaders(message: {
  readonly id: string;
  readonly body: string;
  readonly secrets: readonly string[];
  readonly at: Date;
}): Record<string, string> {
  const { id, body, secrets, at } = message;
  return {
    "content-type": "application/json",
    "user-agent": "meshforge-webhooks/1",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
  };
}
