import { existsSync } from "node:fs";
import { appendFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type DumpRecord, loadDatabase, migrationsOf } from "../../adapters/postgres/dump.ts";
import { migrate } from "../../adapters/postgres/migrate.ts";
import { acquireLock } from "../embedded/lock.ts";
import { startPostgres } from "../embedded/postgres.ts";
import { type BackupHead, readHead, readRecords } from "./backup-file.ts";

const ONLY_FOR_OWNER = 0o600;
/** What a data directory keeps; what else lies there is made anew at each start. */
const KEPT = ["postgres", "postgres.owner", "artifacts", "secret-key"];

export type RestoreOptions = {
  readonly dataDir: string;
  /** Whether what stands in the data directory may be put aside. */
  readonly replace: boolean;
};

/** `aside` is where what stood there before lies now; null where there was nothing. */
export type Restored = { readonly head: BackupHead; readonly aside: string | null };

/**
 * Brings a data directory to what a backup holds. The backup is read to its end before anything is touched. Throws, and
 * leaves all as it was, where it is damaged, where a platform runs there, where something stands there that may not be
 * replaced, and where the backup is another version's.
 */
export async function restore(path: string, { dataDir, replace }: RestoreOptions): Promise<Restored> {
  const head = await readHead(path);
  for await (const _ of readRecords(path));
  const lock = await acquireLock(dataDir);
  try {
    const standing = KEPT.filter((name) => existsSync(join(dataDir, name)));
    if (standing.length > 0 && !replace) {
      throw new Error(
        `${dataDir} holds ${standing.join(", ")}: restore into an empty DATA_DIR, or with --replace, which puts aside what is there.`,
      );
    }
    const aside = standing.length === 0 ? null : await putAside(dataDir, standing);
    try {
      await fill(path, head, dataDir);
      return { head, aside };
    } catch (error) {
      for (const name of KEPT) await rm(join(dataDir, name), { recursive: true, force: true });
      if (aside !== null) {
        await move(standing, aside, dataDir);
        await rm(aside, { recursive: true });
      }
      throw error;
    }
  } finally {
    await lock.release();
  }
}

async function putAside(dataDir: string, standing: readonly string[]): Promise<string> {
  // A server that outlived its supervisor would go on writing there.
  await startPostgres({ dataDir }).then(
    (server) => server.stop(),
    // A database that does not start may be why somebody restores.
    () => undefined,
  );
  const aside = join(dataDir, `replaced-${new Date().toISOString().replaceAll(/\D/g, "")}`);
  await mkdir(aside);
  await move(standing, dataDir, aside);
  return aside;
}

async function move(names: readonly string[], from: string, to: string): Promise<void> {
  for (const name of names) {
    if (existsSync(join(from, name))) await rename(join(from, name), join(to, name));
  }
}

async function fill(path: string, head: BackupHead, dataDir: string): Promise<void> {
  if (head.secret_key !== null) {
    await writeFile(join(dataDir, "secret-key"), head.secret_key, { mode: ONLY_FOR_OWNER, flag: "wx" });
  }
  const postgres = await startPostgres({ dataDir });
  try {
    await migrate(postgres.url);
    if (JSON.stringify(await migrationsOf(postgres.url)) !== JSON.stringify(head.migrations)) {
      throw new Error(
        `${path} was made by a version with another schema: restore it with that version, and bring it up to date with \`meshforge migrate\`.`,
      );
    }
    await loadDatabase(postgres.url, ofDatabase(path, join(dataDir, "artifacts")));
    // What the program makes ahead, for a backup that is some weeks old.
    await migrate(postgres.url);
  } finally {
    await postgres.stop();
  }
}

/** The records of the database; the files are written on the way. */
async function* ofDatabase(path: string, artifacts: string): AsyncGenerator<DumpRecord> {
  for await (const record of readRecords(path)) {
    if (!("file" in record)) {
      yield record;
      continue;
    }
    const file = join(artifacts, record.file);
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, Buffer.from(record.data, "base64"));
  }
}
