import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARS = 32;
const CHECKSUM_CHARS = 6;
const SHAPE = /^mf_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
const PREFIX_CHARS = 9;

/**
 * A new API key: `mf_`, 32 random base62 characters (190 bits), and the CRC32 of those in 6 more, so that a secret
 * scanner can tell one from noise and a mistyped one costs no look-up.
 */
export function newKey(): string {
  const random = Array.from({ length: RANDOM_CHARS }, () => BASE62[randomInt(BASE62.length)]).join("");
  return `mf_${random}${checksum(random)}`;
}

/** Whether a text has the form and the checksum of a key. */
export function isKeyShaped(text: string): boolean {
  const parts = SHAPE.exec(text);
  return parts?.[1] !== undefined && checksum(parts[1]) === parts[2];
}

/** What may be shown of a key after it was given out. */
export const keyPrefix = (key: string): string => key.slice(0, PREFIX_CHARS);

function checksum(random: string): string {
  let rest = crc32(random);
  let digits = "";
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    digits = `${BASE62[rest % BASE62.length]}${digits}`;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}
