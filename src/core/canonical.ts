import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

/** The canonical JSON text of a value (RFC 8785): the same for the same data, whatever the order of its keys. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("This value has no JSON form.");
  return text;
}

/** SHA-256 in lowercase hex. */
export const sha256Hex = (data: string | Uint8Array): string =>
  createHash("sha256").update(data).digest("hex");
