import { AppError } from "../errors.ts";

/** Who changes the keys or the webhook secret of an account: one of its keys, or with null an operator. */
export type Manager = { readonly accountId: string; readonly keyId: string | null };

/** The error for a key that has an end or a spend limit of its own: with a key without one it could shed both. */
export const keyRestricted = (): AppError =>
  new AppError(
    "key_restricted",
    "A key with a spend limit or an expiry may not make or revoke keys, nor make a webhook secret. Use a key of this account that has neither.",
  );

/** Throws `unauthorized` or `key_restricted` for those verdicts of `manage_account`. */
export function checkManager(verdict: string | undefined): void {
  if (verdict === "unauthorized") throw unauthorized();
  if (verdict === "restricted") throw keyRestricted();
}

/** The error for every key that is none, whatever the reason. */
export const unauthorized = (): AppError =>
  new AppError("unauthorized", "Send a valid API key as `Authorization: Bearer <key>`.");
