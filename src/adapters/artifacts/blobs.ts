import type { Readable } from "node:stream";

/** What is kept: `files` are artifacts, `outputs` are results of calls that are too large for their rows. */
export type Blob = { readonly kind: "files" | "outputs"; readonly sha256: string };

/** From `start` to `end`, both inclusive, in bytes. */
export type ByteRange = { readonly start: number; readonly end: number };

/**
 * Where bytes lie, under the hash of their content. `write` resolves when they are whole and will outlive a crash, and
 * leaves nothing that could be read when it rejects. All else rejects for what is not there, or not `bytes` long. A
 * store that does not answer rejects with `AppError` `unavailable`.
 */
export type BlobStore = {
  write(blob: Blob, bytes: Uint8Array): Promise<void>;
  read(blob: Blob): Promise<Uint8Array>;
  /** Resolves where a small blob could be written now, and rejects as `write` does where none could. */
  tryWrite(): Promise<void>;
  /** Resolves when the blob is there and has that many bytes. */
  check(blob: Blob, bytes: number): Promise<void>;
  /** The bytes, or a range of them; opened when it resolves. */
  stream(blob: Blob, bytes: number, range?: ByteRange): Promise<Readable>;
  close(): void;
};

/** The path of a blob below its store's root, the same in every store: a folder can be copied into a bucket as it is. */
export const pathOf = ({ kind, sha256 }: Blob): string => `${kind}/${sha256.slice(0, 2)}/${sha256}`;

/** The fault of a blob that is not as long as it was when it was stored. */
export const wrongSize = (blob: Blob, found: number | undefined, bytes: number): Error =>
  new Error(`${pathOf(blob)} has ${found} bytes instead of ${bytes}`);
