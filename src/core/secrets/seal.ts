import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { KeyRing } from "./key-ring.ts";

/** AES-256-GCM with a random nonce of 96 bits and a tag of 128 (NIST SP 800-38D). */
const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORM = /^v1\.([0-9a-f]{8})\.([\w-]+)$/;

/**
 * Encrypts a text for storage: `v1.`, the id of the key, `.`, and nonce, tag and ciphertext in base64url. It can be
 * opened in the same context only (which table and row it is for), so that none can be put in another's place.
 */
export function seal({ current }: KeyRing, text: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, current.sealing, nonce).setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return `v1.${current.id}.${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString("base64url")}`;
}

/** The text that was sealed. Throws where the key is not held, and where the bytes or the context are others. */
export function open({ all }: KeyRing, sealed: string, context: string): string {
  const [, id, packed] = FORM.exec(sealed) ?? [];
  if (id === undefined || packed === undefined) throw new Error("This is no sealed secret.");
  const key = all.find((known) => known.id === id);
  if (key === undefined) {
    throw new Error(
      `A secret was sealed with the SECRET_KEY of id ${id}, which is neither this one nor SECRET_KEY_PREVIOUS.`,
    );
  }
  const bytes = Buffer.from(packed, "base64url");
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, key.sealing, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString("utf8");
}

/** Whether a sealed text was sealed with the current key; if not, it has to be sealed anew before the other one goes. */
export const isSealedWithCurrent = ({ current }: KeyRing, sealed: string): boolean =>
  FORM.exec(sealed)?.[1] === current.id;
