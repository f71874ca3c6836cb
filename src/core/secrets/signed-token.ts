import { createHmac, timingSafeEqual } from "node:crypto";
import type { KeyRing } from "./key-ring.ts";

/** What a token is for: the right to do one thing with one subject. */
export type Grant = { readonly purpose: "stream"; readonly subject: string };

const FORM = /^(\d{1,12})\.([\w-]{43})$/;
const SECOND_MS = 1_000;

/** A token for a URL: the second (Unix time) in which it ends, `.`, and an HMAC-SHA256 over it and the grant, in base64url. */
export function signToken({ current }: KeyRing, grant: Grant, endsAtMs: number): string {
  const endsAt = Math.floor(endsAtMs / SECOND_MS);
  return `${endsAt}.${mac(current.signing, grant, endsAt).toString("base64url")}`;
}

/** Whether a token gives this grant at this moment; `expired` is said only of one that once did. */
export function verifyToken(
  { all }: KeyRing,
  grant: Grant,
  token: string,
  nowMs: number,
): "valid" | "expired" | "invalid" {
  const [, seconds, signature] = FORM.exec(token) ?? [];
  if (seconds === undefined || signature === undefined) return "invalid";
  const endsAt = Number(seconds);
  const given = Buffer.from(signature, "base64url");
  const isOurs = all.some(({ signing }) => timingSafeEqual(mac(signing, grant, endsAt), given));
  if (!isOurs) return "invalid";
  return endsAt * SECOND_MS > nowMs ? "valid" : "expired";
}

const mac = (key: Buffer, { purpose, subject }: Grant, endsAt: number): Buffer =>
  createHmac("sha256", key).update(`${purpose}\n${subject}\n${endsAt}`).digest();
