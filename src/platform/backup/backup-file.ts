import { createHash, type Hash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, type WriteStream } from "node:fs";
import { access, open, rename, rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { finished } from "node:stream/promises";
import { createGunzip, createGzip, type Gzip } from "node:zlib";
import { z } from "zod";

/** It holds every secret that the database and the data directory hold. */
const ONLY_FOR_OWNER = 0o600;
/** Most of a backup is text that packs well, or was packed before. */
const GZIP_LEVEL = 3;
const FORMAT = 1;

const head = z.strictObject({
  meshforge_backup: z.literal(FORMAT),
  created: z.iso.datetime(),
  /** The schema's numbered files: what another schema dumped is not loaded. */
  migrations: z.array(z.strictObject({ name: z.string(), sha256: z.string() })),
  /** What lies in `DATA_DIR/secret-key`; null where SECRET_KEY says it. */
  secret_key: z.string().nullable(),
  /** False where a bucket holds the artifacts. */
  with_artifacts: z.boolean(),
});
const partition = z.strictObject({ partition: z.string(), of: z.string(), bound: z.string() });
const row = z.strictObject({ table: z.string(), row: z.string() });
const sequence = z.strictObject({ sequence: z.string(), last: z.string().regex(/^\d+$/) });
/** A part of a file below the artifacts, in base64. */
const file = z.strictObject({
  file: z.string().regex(/^(files|outputs)\/[0-9a-f]{2}\/[0-9a-f]{64}$/),
  data: z.base64(),
});
const record = z.union([row, file, sequence, partition]);
const end = z.strictObject({ end: z.strictObject({ records: z.int(), sha256: z.string() }) });

export type BackupHead = Omit<z.output<typeof head>, "meshforge_backup">;
export type BackupRecord = z.output<typeof record>;

/**
 * Writes a backup: lines of JSON, packed by gzip. The first is the head; the last says how many lines there are and the
 * SHA-256 of all before it, so that a backup that was cut off or changed is known as such.
 */
export class BackupWriter {
  readonly #path: string;
  readonly #gzip: Gzip;
  readonly #file: WriteStream;
  readonly #hash: Hash = createHash("sha256");
  #lines = 0;

  private constructor(path: string, descriptor: WriteStream) {
    this.#path = path;
    this.#gzip = createGzip({ level: GZIP_LEVEL });
    this.#file = this.#gzip.pipe(descriptor);
    // Told by whoever waits for the end.
    this.#gzip.on("error", () => undefined);
    this.#file.on("error", (error) => this.#gzip.destroy(error));
  }

  /** Begins a backup that appears at this path when it is whole. Throws where something stands there. */
  static async create(path: string, { ...about }: BackupHead): Promise<BackupWriter> {
    const taken = await access(path).then(
      () => true,
      () => false,
    );
    if (taken) throw new Error(`${path} exists already: name a file that does not.`);
    const unfinished = createWriteStream(`${path}.unfinished`, { mode: ONLY_FOR_OWNER });
    await once(unfinished, "open").catch((error: unknown) => {
      throw new Error(
        `${path} cannot be written (${String((error as NodeJS.ErrnoException).code)}): name a file in a directory that is there and takes it.`,
        { cause: error },
      );
    });
    const writer = new BackupWriter(path, unfinished);
    await writer.#line({ meshforge_backup: FORMAT, ...about });
    return writer;
  }

  async write(entry: BackupRecord): Promise<void> {
    await this.#line(entry);
  }

  /** Puts the backup in its place, on the medium. */
  async finish(): Promise<void> {
    const sha256 = this.#hash.copy().digest("hex");
    await this.#line({ end: { records: this.#lines, sha256 } });
    this.#gzip.end();
    await finished(this.#file);
    const written = await open(`${this.#path}.unfinished`);
    await written.sync();
    await written.close();
    await rename(`${this.#path}.unfinished`, this.#path);
  }

  /** Leaves nothing behind. */
  async discard(): Promise<void> {
    this.#gzip.destroy();
    this.#file.destroy();
    await rm(`${this.#path}.unfinished`, { force: true });
  }

  async #line(value: object): Promise<void> {
    if (this.#gzip.errored) throw this.#gzip.errored;
    const line = `${JSON.stringify(value)}\n`;
    this.#hash.update(line);
    this.#lines++;
    if (!this.#gzip.write(line)) await once(this.#gzip, "drain");
  }
}

/** What a backup says of itself. Throws in one line where the file is none, or another version's. */
export async function readHead(path: string): Promise<BackupHead> {
  for await (const line of linesOf(path)) {
    const { meshforge_backup: _, ...about } = parsed(path, head, line);
    return about;
  }
  throw damaged(path, "it is empty");
}

/** All records of a backup after its head. Throws at the end at the latest where the backup is not whole. */
export async function* readRecords(path: string): AsyncGenerator<BackupRecord> {
  const hash = createHash("sha256");
  let lines = 0;
  let whole = false;
  for await (const line of linesOf(path)) {
    if (whole) throw damaged(path, "something follows its end");
    if (line.startsWith('{"end"')) {
      const { records, sha256 } = parsed(path, end, line).end;
      if (records !== lines || sha256 !== hash.digest("hex")) throw damaged(path, "its checksum is another");
      whole = true;
      continue;
    }
    hash.update(`${line}\n`);
    lines++;
    if (lines > 1) yield parsed(path, record, line);
  }
  if (!whole) throw damaged(path, "its end is missing");
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const packed = createReadStream(path);
  const unpacked = createGunzip();
  packed.on("error", (error) => unpacked.destroy(error));
  const lines = createInterface({ input: packed.pipe(unpacked), crlfDelay: Number.POSITIVE_INFINITY });
  const failed = new Promise<never>((_resolve, reject) => {
    unpacked.on("error", reject);
  });
  failed.catch(() => undefined);
  const each = lines[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([each.next(), failed]);
      if (next.done === true) break;
      yield next.value;
    }
    if (unpacked.errored) throw unpacked.errored;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new Error(`There is no ${path}.`, { cause: error });
    throw code?.startsWith("Z_") === true ? damaged(path, message) : error;
  } finally {
    lines.close();
    packed.destroy();
    unpacked.destroy();
  }
}

function parsed<T extends z.ZodType>(path: string, schema: T, line: string): z.output<T> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw damaged(path, "a line of it is no JSON");
  }
  const found = schema.safeParse(value);
  if (!found.success) throw damaged(path, "a line of it is none of a backup of this version");
  return found.data;
}

const damaged = (path: string, why: string): Error =>
  new Error(`${path} is no whole backup of Meshforge: ${why}. Nothing was changed.`);
