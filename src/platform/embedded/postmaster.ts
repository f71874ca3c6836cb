import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, isPostgresOn, isTaken, postgresProcessesOn } from "./process-table.ts";

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
  const file = await readPidFile(cluster);
  return file !== null && (await isPostgresOn(file.pid, cluster)) ? file : null;
}

/** Whether the cluster's server says of itself that it is about to end. */
export const isStopping = async (cluster: string): Promise<boolean> =>
  (await readPidFile(cluster))?.status === "stopping";

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
 * Clears away what a killed server left behind: sessions, which hold its shared memory, so that no new server
 * starts on the cluster before the last of them is gone; and its `postmaster.pid`, when the process id is another
 * program's by now, or still a zombie's, both of which PostgreSQL takes for a running server.
 */
export async function clearRemains(cluster: string): Promise<void> {
  const orphans = await postgresProcessesOn(cluster);
  for (const pid of orphans) send(pid, "SIGKILL");
  await hasEnded(orphans, KILL_MS);
  const file = await readPidFile(cluster);
  if (file !== null && isTaken(file.pid) && !(await isPostgresOn(file.pid, cluster))) {
    await rm(pidFile(cluster), { force: true });
  }
}

/** True once all the processes have ended, false if one still lives after `limitMs`. */
async function hasEnded(pids: readonly number[], limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const alive = await Promise.all(pids.map(isAlive));
    if (!alive.includes(true)) return true;
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
}

async function readPidFile(cluster: string): Promise<Postmaster | null> {
  const text = await readFile(pidFile(cluster), "utf8").catch(() => null);
  if (text === null) return null;
  // The lines' order is fixed in PostgreSQL's miscadmin.h (LOCK_FILE_LINE_*).
  const lines = text.split("\n");
  const pid = Number.parseInt(lines[0] ?? "", 10);
  if (!(pid > 0)) return null;
  return { pid, port: Number.parseInt(lines[3] ?? "", 10), status: (lines[7] ?? "").trim() };
}

function pidFile(cluster: string): string {
  return join(cluster, "postmaster.pid");
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
