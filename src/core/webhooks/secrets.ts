import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";

/** Standard Webhooks asks for 24 to 64 random bytes. */
const SECRET_BYTES = 32;
/** How long a replaced secret signs along. */
const OVERLAP = "24 hours";

/**
 * Makes an account a new secret, and returns it: it is never shown again. The one before signs along for 24 hours; of
 * those that were replaced within that time, no more than `LIMITS.webhookOldSecrets` do.
 */
export async function rotateSecret(db: Db, accountId: string): Promise<string> {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
  await db.query("select rotate_webhook_secret($1, $2, $3::interval, $4)", [
    accountId,
    secret,
    OVERLAP,
    LIMITS.webhookOldSecrets,
  ]);
  return secret;
}

/** Whether an account has a secret to sign with. */
export async function hasSecret(db: Db, accountId: string): Promise<boolean> {
  const rows = await db.query("select from webhook_secrets where account_id = $1 and retires_at is null", [
    accountId,
  ]);
  return rows.length > 0;
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
