import { compressSync, uncompressSync } from "lz4-napi";
import { LIMITS } from "../limits.ts";

/**
 * An output's JSON text as an LZ4 block behind its length in bytes (four, the lowest first), or undefined where that
 * is not worth it. Packing takes a fraction of the time in which the database writes the bytes that it saves, to its
 * log, its file and the disk.
 */
export function packed(text: string): Uint8Array | undefined {
  if (text.length < LIMITS.packOutputFromChars) return undefined;
  const block = compressSync(text);
  return block.length < text.length * LIMITS.packedOutputShare ? block : undefined;
}

/** The JSON text that was packed. Throws for what no `packed` has made. */
export const unpacked = (block: Uint8Array): string => uncompressSync(block).toString();
