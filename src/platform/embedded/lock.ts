import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isAlive } from "./process-table.ts";

/** Held until released, or until this process ends in whatever way. */
export type Lock = { release(): Promise<void> };

/** Another platform runs on this DATA_DIR. */
export class AlreadyRunning extends Error {
  /** The other one's process; null when it began only just now. */
  readonly pid: number | null;

  constructor(dataDir: string, pid: number | null) {
    const holder = pid === null ? "" : ` (process ${pid})`;
    super(`Meshforge already runs on ${dataDir}${holder}. Stop it, or start with another DATA_DIR.`);
    this.name = "AlreadyRunning";
    this.pid = pid;
  }
}

/** https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;
const OWNER_ONLY = 0o600;

/**
 * Takes DATA_DIR for this process alone, or throws `AlreadyRunning`.
 *
 * Node has no file locks of its own, but SQLite's are the operating system's: they end with their process, even
 * when that is killed, so that there are no stale ones to be recognised by process ids that others have got
 * meanwhile, and of two that start at once one is refused. The file beside it only names the holder.
 */
export async function acquireLock(dataDir: string): Promise<Lock> {
  await mkdir(dataDir, { recursive: true });
  const holderFile = join(dataDir, "lock.pid");
  const lockFile = join(dataDir, "lock");
  const database = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    database.exec("begin exclusive");
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new AlreadyRunning(dataDir, await readHolder(holderFile));
  }
  await chmod(lockFile, OWNER_ONLY);
  await writeFile(holderFile, String(process.pid), { mode: OWNER_ONLY });
  return {
    release: async () => {
      // The holder's name is left: by the time that it were removed, it could be the next holder's.
      if (database.isOpen) database.close();
    },
  };
}

async function readHolder(file: string): Promise<number | null> {
  const pid = Number.parseInt(await readFile(file, "utf8").catch(() => ""), 10);
  return !Number.isNaN(pid) && (await isAlive(pid)) ? pid : null;
}
