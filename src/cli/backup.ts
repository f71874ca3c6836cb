import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { backUp } from "../platform/backup/backup.ts";
import { restore } from "../platform/backup/restore.ts";
import { type Config, loadConfig } from "../platform/config.ts";
import { acquireLock, AlreadyRunning } from "../platform/embedded/lock.ts";
import { startPostgres } from "../platform/embedded/postgres.ts";
import { databaseUrlOf } from "./database-url.ts";

/** Backs up the embedded platform of this DATA_DIR, which may run meanwhile. */
export async function backup(file: string): Promise<void> {
  const config = loadConfig();
  refuseOwnServer(config);
  const path = resolve(file);
  const { rows, files } = await withEmbedded(config, (url) => backUp(config, url, path));
  console.log(`${path}: ${rows} rows, ${files} files. It holds secrets; only its owner may read it.`);
  if (config.secretKey.current !== null) console.log("SECRET_KEY is not in it: keep it beside the backup.");
  if (config.s3 !== null) console.log("The artifacts are not in it: they lie in the bucket.");
}

/** Restores a backup into this DATA_DIR. */
export async function restoreCommand(
  file: string,
  { replace = false }: { readonly replace?: boolean },
): Promise<void> {
  const config = loadConfig();
  refuseOwnServer(config);
  const { head, aside } = await restore(resolve(file), { dataDir: config.dataDir, replace });
  console.log(
    `${config.dataDir} is as it was on ${head.created}. Start it, and \`meshforge audit\` checks it.`,
  );
  if (aside !== null) console.log(`What stood there before lies in ${aside}.`);
  if (head.secret_key === null) console.log("Start it with the SECRET_KEY that it had then.");
}

function refuseOwnServer({ databaseUrl }: Config): void {
  if (databaseUrl === null) return;
  throw new Error(
    "This is for the embedded database, and DATABASE_URL names a server: back that up by pg_dump, see docs/operating.md.",
  );
}

/** With the database of the platform that runs here, or, where none does, with its database started for it. */
async function withEmbedded<T>(config: Config, act: (url: string) => Promise<T>): Promise<T> {
  await readFile(join(config.dataDir, "postgres", "PG_VERSION")).catch((error: unknown) => {
    throw new Error(`There is no database in ${config.dataDir}.`, { cause: error });
  });
  const lock = await acquireLock(config.dataDir).catch((error: unknown) => {
    if (error instanceof AlreadyRunning) return null;
    throw error;
  });
  if (lock === null) return await act(await databaseUrlOf(config));
  try {
    const postgres = await startPostgres({ dataDir: config.dataDir });
    try {
      return await act(postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    await lock.release();
  }
}
