import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** One process of the platform. Only workers have pools. */
export type RunningProcess = {
  readonly name: string;
  readonly pools: readonly string[];
  readonly pid: number;
};

/** What `run.json` tells of a running platform to its operator's programs. */
export type Run = {
  readonly pid: number;
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly baseUrl: string;
  readonly apiUrl: string;
  readonly opsUrl: string;
  readonly processes: readonly RunningProcess[];
};

/** It holds the database's password. */
const OWNER_ONLY = 0o600;

/**
 * Writes DATA_DIR/run.json; a reader sees the old one or the new one, never a part. Synchronous, so that of two
 * changes at the same moment the later one stays.
 */
export function writeRunFile(dataDir: string, run: Run): void {
  const unfinished = join(dataDir, `run.json.${process.pid}`);
  writeFileSync(unfinished, `${JSON.stringify(run, null, 2)}\n`, { mode: OWNER_ONLY });
  renameSync(unfinished, join(dataDir, "run.json"));
}

/** Whether there is one: beside the lock that nobody else holds, it was left by a platform that was killed. */
export const hasRunFile = (dataDir: string): boolean => existsSync(join(dataDir, "run.json"));

/** Removes DATA_DIR/run.json, if there is one. */
export function removeRunFile(dataDir: string): void {
  rmSync(join(dataDir, "run.json"), { force: true });
}
