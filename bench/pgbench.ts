import { spawnSync } from "node:child_process";
import type { Measured } from "./load.ts";
import { withOwnDatabase } from "../test/support/own-database.ts";

const SCALE = "10";

/** PostgreSQL's own TPC-B on the same server, in a database of its own; null where pgbench is not installed. */
export async function runPgbench(
  databaseUrl: string,
  callers: number,
  seconds: number,
): Promise<Measured | null> {
  if (spawnSync("pgbench", ["--version"]).status !== 0) return null;
  return await withOwnDatabase(databaseUrl, "pgbench", (url) => {
    pgbench(url, ["-i", "-q", "-s", SCALE]);
    const said = pgbench(url, [
      "-n",
      "-M",
      "prepared",
      "-c",
      String(callers),
      "-j",
      "1",
      "-T",
      String(seconds),
    ]);
    const number = (pattern: RegExp): number => Number(pattern.exec(said)?.[1] ?? Number.NaN);
    const averageMs = number(/latency average = ([\d.]+) ms/);
    return {
      perSecond: number(/tps = ([\d.]+)/),
      p50Ms: averageMs,
      p99Ms: Number.NaN,
      faults: number(/failed transactions: (\d+)/),
    };
  });
}

function pgbench(url: string, args: readonly string[]): string {
  const { hostname, port, username, password, pathname } = new URL(url);
  const env = {
    PATH: process.env["PATH"],
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: decodeURIComponent(password),
  };
  const { status, stdout, stderr } = spawnSync("pgbench", [...args, pathname.slice(1)], { env });
  if (status !== 0) throw new Error(`pgbench: ${stderr.toString()}`);
  return stdout.toString();
}
