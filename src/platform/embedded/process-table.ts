import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { basename } from "node:path";
import { platform } from "node:os";
import { promisify } from "node:util";

const hasProc = platform() === "linux";

/** True if a process has this id, though it may be a zombie: one that has ended and that its parent did not ask after. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** True if a process has this id and has not ended. */
export async function isAlive(pid: number): Promise<boolean> {
  if (!isTaken(pid)) return false;
  if (!hasProc) return true;
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (status === null) return false;
  // The name in parentheses may hold anything, so the state is what follows the last parenthesis.
  return !/^ [ZX]/.test(status.slice(status.lastIndexOf(")") + 1));
}

/** True if this process is a PostgreSQL that works on the cluster; every server and backend stands in its directory. */
export async function isPostgresOn(pid: number, cluster: string): Promise<boolean> {
  if (!(await isAlive(pid))) return false;
  if (!hasProc) {
    const { stdout } = await promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)]);
    return stdout.includes("postgres") && stdout.includes(cluster);
  }
  const [program, directory] = await Promise.all([programOf(pid), link(`/proc/${pid}/cwd`)]);
  return program !== null && basename(program).startsWith("postgres") && directory === cluster;
}

/** The file that a process runs, with ` (deleted)` at its end when it was since removed; null where that cannot be told. */
export async function programOf(pid: number): Promise<string | null> {
  return hasProc ? link(`/proc/${pid}/exe`) : null;
}

/** The ids of all processes that work on the cluster; empty where that cannot be told. */
export async function postgresProcessesOn(cluster: string): Promise<number[]> {
  if (!hasProc) return [];
  const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
  const verdicts = await Promise.all(pids.map((pid) => isPostgresOn(pid, cluster)));
  return pids.filter((_, index) => verdicts[index]);
}

async function link(path: string): Promise<string | null> {
  return readlink(path).catch(() => null);
}
