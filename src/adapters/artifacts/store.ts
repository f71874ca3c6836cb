import type { Readable } from "node:stream";
import { sha256Hex } from "../../core/canonical.ts";
import type { TextStore } from "../../core/calls/outputs.ts";
import type { ArtifactPort, StoredArtifact } from "../../core/catalog/define.ts";
import type { Db } from "../../core/db.ts";
import { fresh } from "../../core/fresh.ts";
import type { Blob, BlobStore, ByteRange } from "./blobs.ts";

/** What is known of a stored artifact. */
export type ArtifactInfo = {
  readonly sha256: string;
  readonly mime: string;
  readonly filename: string;
  readonly bytes: number;
};

/** Whoever asks more often than this whether the store takes something shares the answer. */
const TRIED_EVERY_MS = 5_000;
/** In an address, where each byte that is no plain letter takes three. */
const MAX_NAME_CHARS = 240;
/** A name that stays one part of a path, in an address and on whatever disk it is saved to. */
const FILENAME = /^(?!\.)[^/\\:*?"<>|\p{C}]+$/u;
const MIME = /^[a-z]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/;

/**
 * Artifacts and large outputs, under the hash of their content: the bytes in a blob store, and in the database what
 * they are. The bytes are there before anything points at them. An address names the hash and the file's name; the
 * same bytes may have several names, and lie there once.
 */
export class ArtifactStore implements ArtifactPort, TextStore {
  readonly #blobs: BlobStore;
  readonly #db: Db;
  readonly #baseUrl: string;
  readonly #takes: () => Promise<boolean>;

  constructor(options: { readonly blobs: BlobStore; readonly db: Db; readonly baseUrl: string }) {
    this.#blobs = options.blobs;
    this.#db = options.db;
    this.#baseUrl = options.baseUrl;
    this.#takes = fresh(TRIED_EVERY_MS, () =>
      options.blobs.tryWrite().then(
        () => true,
        () => false,
      ),
    );
  }

  /** Throws `TypeError` for a file name that no address could hold, and for a type that no header could. */
  async put(
    bytes: Uint8Array,
    { mime, filename }: { readonly mime: string; readonly filename: string },
  ): Promise<StoredArtifact> {
    const name = FILENAME.test(filename) ? encodeURIComponent(filename) : "";
    if (name === "" || name.length > MAX_NAME_CHARS)
      throw new TypeError(`${JSON.stringify(filename)} is no name for a file`);
    if (!MIME.test(mime)) throw new TypeError(`${JSON.stringify(mime)} is no media type`);
    const sha256 = sha256Hex(bytes);
    await this.#blobs.write(fileOf(sha256), bytes);
    await this.#db.query(
      `insert into artifacts (sha256, mime, filename, bytes) values ($1, $2, $3, $4) on conflict do nothing`,
      [sha256, mime, filename, bytes.length],
      { repeatable: true },
    );
    const url = `${this.#baseUrl}/artifacts/${sha256}/${name}`;
    return { url, sha256, bytes: bytes.length };
  }

  /** What is stored under this hash and name, or undefined. */
  async info(sha256: string, filename: string): Promise<ArtifactInfo | undefined> {
    const [row] = await this.#db.query<ArtifactInfo>(
      "select sha256, mime, filename, bytes from artifacts where sha256 = $1 and filename = $2",
      [sha256, filename],
    );
    return row;
  }

  /** Whether something can be stored, as of some seconds ago. */
  async takes(): Promise<boolean> {
    return await this.#takes();
  }

  /** Resolves when the bytes of an artifact are where they should be. */
  async check({ sha256, bytes }: ArtifactInfo): Promise<void> {
    await this.#blobs.check(fileOf(sha256), bytes);
  }

  /** The bytes of an artifact, or a range of them. Rejects when they are not there. */
  async stream({ sha256, bytes }: ArtifactInfo, range?: ByteRange): Promise<Readable> {
    return await this.#blobs.stream(fileOf(sha256), bytes, range);
  }

  async write(text: string, sha256: string): Promise<void> {
    await this.#blobs.write({ kind: "outputs", sha256 }, Buffer.from(text));
  }

  async read(sha256: string): Promise<Uint8Array> {
    const bytes = await this.#blobs.read({ kind: "outputs", sha256 });
    // Hashed off the event loop: it may be megabytes.
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    if (Buffer.from(digest).toString("hex") !== sha256)
      throw new Error(`outputs/${sha256} is not what was stored`);
    return bytes;
  }

  close(): void {
    this.#blobs.close();
  }
}

const fileOf = (sha256: string): Blob => ({ kind: "files", sha256 });
