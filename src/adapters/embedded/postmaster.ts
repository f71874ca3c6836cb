import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, isPostgresOn, postgresProcessesOn } from "./process-table.ts";

/** The server of a cluster, as its own `postmaster.pid` describes it. */
export type Postmaster = {
  readonly pid: number;
  /** The TCP port; NaN in the first moments of a start. */
  readonly port: number;
  readonly status: string;
};

const POLL_MS = 20;
/** A fast shutdown ends all sessions and writes a checkpoint. */
const FAST_SHUTDOWN_MS = 15_000;
const IMMEDIATE_SHUTDOWN_MS = 5_000;
const KILL_MS = 5_000;

/** The living server of the cluster, or null. What a dead one left behind counts for nothing. */
export async function readPostmaster(cluster: string): Promise<Postmaster | null> {
  const text = await readFile(join(cluster, "postmaster.pid"), "utf8").catch(() => null);
  if (text === null) return null;
  // The lines' order is fixed in PostgreSQL's miscadmin.h (LOCK_FILE_LINE_*).
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !(await isPostgresOn(pid, cluster))) return null;
  return { pid, port: Number.parseInt(lines[3] ?? "", 10), status: (lines[7] ?? "").trim() };
}

/** Stops the server: sessions are ended and all is written out, unless it takes too long; then it recovers later. */
export async function stopPostmaster(pid: number): Promise<void> {
  const steps = [
    { signal: "SIGINT", limitMs: FAST_SHUTDOWN_MS },
    { signal: "SIGQUIT", limitMs: IMMEDIATE_SHUTDOWN_MS },
    { signal: "SIGKILL", limitMs: KILL_MS },
  ] as const;
  for (const { signal, limitMs } of steps) {
    send(pid, signal);
    if (await hasEnded([pid], limitMs)) return;
  }
  throw new Error(`PostgreSQL (process ${pid}) does not end.`);
}

/**
 * Ends the sessions which a killed server left behind. They would hold its shared memory, and no new server
 * starts on the cluster before the last of them is gone.
 */
export async function endOrphans(cluster: string): Promise<void> {
  const orphans = await postgresProcessesOn(cluster);
  for (const pid of orphans) send(pid, "SIGKILL");
  await hasEnded(orphans, KILL_MS);
}

/** True once all the processes have ended, false if one still lives after `limitMs`. */
export async function hasEnded(pids: readonly number[], limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const alive = await Promise.all(pids.map(isAlive));
    if (!alive.includes(true)) return true;
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
