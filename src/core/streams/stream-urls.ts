import type { Caller } from "../calls/call-request.ts";
import type { Db } from "../db.ts";
import { AppError } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import type { KeyRing } from "../secrets/key-ring.ts";
import { type Grant, signToken, verifyToken } from "../secrets/signed-token.ts";

const grantOf = (callId: string): Grant => ({ purpose: "stream", subject: callId });

/** A token with which one call can be followed for an hour, by whoever cannot send a key: `EventSource` sends no headers. */
export const streamToken = (keyRing: KeyRing, callId: string): string =>
  signToken(keyRing, grantOf(callId), Date.now() + LIMITS.streamUrlMs);

/**
 * Who follows a call by a token: the key that made the call. Throws `unauthorized` for a token that is wrong, is for
 * another call or has expired, and when that key was revoked or has expired itself.
 */
export async function callerOfToken(
  db: Db,
  keyRing: KeyRing,
  callId: string,
  token: string,
): Promise<Caller> {
  const verdict = verifyToken(keyRing, grantOf(callId), token, Date.now());
  if (verdict === "expired") {
    throw new AppError("unauthorized", "This stream URL has expired. The envelope of the call has another.");
  }
  const caller = verdict === "valid" ? await makerOf(db, callId) : undefined;
  if (caller === undefined) throw new AppError("unauthorized", "This stream URL is not valid.");
  return caller;
}

/** The account and the key that made a call, where that key still holds. */
async function makerOf(db: Db, callId: string): Promise<Caller | undefined> {
  const [key] = await db.query<{ id: string; account_id: string }>(
    `select k.id, k.account_id from calls c
      cross join lateral (select k.* from api_keys k where k.id = c.key_id limit 1) k
      where c.id = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > (select clock_now()))`,
    [callId],
  );
  return key === undefined ? undefined : { accountId: key.account_id, keyId: key.id };
}
