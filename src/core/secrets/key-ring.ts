import { hkdfSync } from "node:crypto";

/** How long a secret key is. */
export const SECRET_KEY_BYTES = 32;
const ID_BYTES = 4;

/** One secret key, never used itself: each purpose has a key of its own that is derived from it (HKDF, RFC 5869). */
type SecretKey = {
  /** 8 hex digits that name it without telling anything of it. */
  readonly id: string;
  readonly sealing: Buffer;
  readonly signing: Buffer;
};

/** The key that seals and signs, and the one before it, which still opens and verifies. */
export type KeyRing = { readonly current: SecretKey; readonly all: readonly SecretKey[] };

/** Makes the keys from secrets of 32 bytes each; `previous` is null where nothing was rotated. */
export function createKeyRing(current: Uint8Array, previous: Uint8Array | null): KeyRing {
  const newest = deriveKeys(current);
  return { current: newest, all: previous === null ? [newest] : [newest, deriveKeys(previous)] };
}

function deriveKeys(secret: Uint8Array): SecretKey {
  if (secret.length !== SECRET_KEY_BYTES) throw new Error(`A secret key has ${SECRET_KEY_BYTES} bytes.`);
  const derive = (purpose: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync("sha256", secret, "", `meshforge ${purpose}`, bytes));
  return {
    id: derive("key id", ID_BYTES).toString("hex"),
    sealing: derive("sealing", SECRET_KEY_BYTES),
    signing: derive("signing", SECRET_KEY_BYTES),
  };
}
