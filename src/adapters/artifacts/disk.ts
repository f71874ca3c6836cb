import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { AppError } from "../../core/errors.ts";
import { type Blob, type BlobStore, type ByteRange, pathOf, wrongSize } from "./blobs.ts";

/** As much as a disk must take to count for one that is not full. */
const TRIED_BYTES = 65_536;
/** A half-written file this old belongs to a process that was killed: no write takes nearly as long. */
const ABANDONED_AFTER_MS = 3_600_000;

/** What calls gave is for nobody else on this machine. */
const OWNER_ONLY = { file: 0o600, directory: 0o700 } as const;

/** Blobs as files below a directory; written once, never changed. */
export class DiskBlobs implements BlobStore {
  readonly #root: string;
  readonly #onAway: (why: string) => void;
  /** Half-written files: beside the others, so that a finished one is moved and not copied. */
  readonly #unfinished: string;
  #prepared: Promise<void> | undefined;

  /** `onAway` is told why the disk did not take something, for whoever runs it. */
  constructor(root: string, { onAway }: { readonly onAway: (why: string) => void }) {
    this.#root = root;
    this.#onAway = onAway;
    this.#unfinished = join(root, "unfinished");
  }

  async write(blob: Blob, bytes: Uint8Array): Promise<void> {
    const path = this.#path(blob);
    const existing = await stat(path).catch(() => undefined);
    if (existing?.size === bytes.length) return;
    await this.#writeUnfinished(bytes, async (temporary) => {
      await makeDirectory(dirname(path));
      await rename(temporary, path);
      await syncDirectory(dirname(path));
    });
  }

  async tryWrite(): Promise<void> {
    await this.#writeUnfinished(randomBytes(TRIED_BYTES), (temporary) => rm(temporary));
  }

  async read(blob: Blob): Promise<Uint8Array> {
    return await readFile(this.#path(blob));
  }

  async check(blob: Blob, bytes: number): Promise<void> {
    const { size } = await stat(this.#path(blob));
    if (size !== bytes) throw wrongSize(blob, size, bytes);
  }

  async stream(blob: Blob, bytes: number, range?: ByteRange): Promise<Readable> {
    const file = await open(this.#path(blob));
    try {
      const { size } = await file.stat();
      if (size !== bytes) throw wrongSize(blob, size, bytes);
    } catch (error) {
      await file.close();
      throw error;
    }
    return file.createReadStream(range ?? {});
  }

  close(): void {
    // Nothing is held open between two calls.
  }

  async #writeUnfinished(bytes: Uint8Array, finish: (temporary: string) => Promise<void>): Promise<void> {
    const temporary = join(this.#unfinished, randomBytes(8).toString("hex"));
    try {
      await this.#prepare();
      await writeThrough(temporary, bytes).catch(async (error: unknown) => {
        if (!isMissing(error)) throw error;
        // The directory was emptied, or another disk was mounted over it, since this process prepared it.
        this.#prepared = undefined;
        await this.#prepare();
        await writeThrough(temporary, bytes);
      });
      await finish(temporary);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw this.#explained(error);
    }
  }

  /** A full disk, or one that takes nothing, in our words: those of the operating system name paths. */
  #explained(error: unknown): unknown {
    if (!(error instanceof Error) || !("syscall" in error)) return error;
    const { code = error.name } = error as { readonly code?: string };
    this.#onAway(`${code}: ${error.syscall as string}`);
    const away = new AppError("unavailable", "The artifact store takes nothing just now. Try again.");
    away.cause = error;
    return away;
  }

  #path(blob: Blob): string {
    return join(this.#root, pathOf(blob));
  }

  /** Once in a process, before its first write: the directory for what is unfinished, without what killed ones left. */
  #prepare(): Promise<void> {
    this.#prepared ??= prepare(this.#root, this.#unfinished).catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

async function prepare(root: string, unfinished: string): Promise<void> {
  await makeDirectory(unfinished);
  // It may have been made by somebody else, with a mode of theirs.
  await chmod(root, OWNER_ONLY.directory);
  await clearAbandoned(unfinished);
}

async function clearAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    // Another process may have finished it meanwhile.
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS)
      await rm(path, { force: true });
  }
}

/** Writes a new file; its bytes are on the medium when this resolves. */
async function writeThrough(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", OWNER_ONLY.file);
  try {
    await file.writeFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Makes a directory and those above it, so that they outlive a crash. */
async function makeDirectory(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: OWNER_ONLY.directory });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncDirectory(dirname(made));
}

/** A file that was moved into a directory is there after a crash only when the directory is on the medium as well. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
