import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { type Blob, type BlobStore, type ByteRange, pathOf, wrongSize } from "./blobs.ts";

/** A half-written file this old belongs to a process that was killed: no write takes nearly as long. */
const ABANDONED_AFTER_MS = 3_600_000;

/** What calls gave is for nobody else on this machine. */
const OWNER_ONLY = { file: 0o600, directory: 0o700 } as const;

/** Blobs as files below a directory; written once, never changed. */
export class DiskBlobs implements BlobStore {
  readonly #root: string;
  /** Half-written files: beside the others, so that a finished one is moved and not copied. */
  readonly #unfinished: string;
  #prepared: Promise<void> | undefined;

  constructor(root: string) {
    this.#root = root;
    this.#unfinished = join(root, "unfinished");
  }

  async write(blob: Blob, bytes: Uint8Array): Promise<void> {
    const path = this.#path(blob);
    const existing = await stat(path).catch(() => undefined);
    if (existing?.size === bytes.length) return;
    await this.#prepare();
    const temporary = join(this.#unfinished, randomBytes(8).toString("hex"));
    try {
      await writeThrough(temporary, bytes);
      await makeDirectory(dirname(path));
      await rename(temporary, path);
      await syncDirectory(dirname(path));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
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
