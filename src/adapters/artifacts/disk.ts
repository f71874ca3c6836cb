import { createHash, randomBytes } from "node:crypto";

import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import type { TextStore } from "../../core/calls/outputs.ts";
import type { ArtifactPort } from "../../core/catalog/define.ts";
import type { Db } from "../../core/db.ts";

/** What is known of a stored artifact. */
export type ArtifactInfo = {
  readonly sha256: string;
  readonly mime: string;
  readonly filename: string;
  readonly bytes: number;
};

/** Artifacts and large outputs as files under the SHA-256 of their content; written once, never changed. */
export class DiskStore implements ArtifactPort, TextStore {
  readonly #root: string;
  readonly #db: Db;
  readonly #baseUrl: string;

  constructor(options: { readonly root: string; readonly db: Db; readonly baseUrl: string }) {
    this.#root = options.root;
    this.#db = options.db;
    this.#baseUrl = options.baseUrl;
  }

  async put(
    bytes: Uint8Array,
    about: { readonly mime: string; readonly filename: string },
  ): Promise<{ url: string; sha256: string; bytes: number }> {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    await this.#write(this.#path("files", sha256), bytes);
    await this.#db.query(
      `insert into artifacts (sha256, mime, filename, bytes) values ($1, $2, $3, $4) on conflict do nothing`,
      [sha256, about.mime, about.filename, bytes.length],
      { repeatable: true },
    );
    return {
      url: `${this.#baseUrl}/artifacts/${sha256}/${encodeURIComponent(about.filename)}`,
      sha256,
      bytes: bytes.length,
    };
  }

  /** What is stored under this hash, or undefined. */
  async info(sha256: string): Promise<ArtifactInfo | undefined> {
    const [row] = await this.#db.query<ArtifactInfo>(
      "select sha256, mime, filename, bytes from artifacts where sha256 = $1",
      [sha256],
    );
    return row;
  }

  /** The bytes of an artifact, `start` to `end` inclusive where given. Rejects when the file is not there. */
  async stream(sha256: string, range?: { readonly start: number; readonly end: number }): Promise<Readable> {
    const file = await open(this.#path("files", sha256));
    return file.createReadStream(range ?? {});
  }

  async write(text: string, sha256: string): Promise<void> {
    await this.#write(this.#path("outputs", sha256), Buffer.from(text));
  }

  async read(sha256: string): Promise<string> {
    return await readFile(this.#path("outputs", sha256), "utf8");
  }

  #path(kind: "files" | "outputs", sha256: string): string {
    return join(this.#root, kind, sha256.slice(0, 2), sha256);
  }

  /** The file is whole and on the disk before anything points at it, or it is not there. */
  async #write(path: string, bytes: Uint8Array): Promise<void> {
    const existing = await stat(path).catch(() => undefined);
    if (existing?.size === bytes.length) return;
    await mkdir(dirname(path), { recursive: true });
    const temporary = `${path}.${randomBytes(6).toString("hex")}`;
    try {
      const file = await open(temporary, "wx");
      try {
        await file.writeFile(bytes);
        await file.datasync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }
}
