import { spawnSync } from "node:child_process";
import pg from "pg";
import type { Measured } from "./load.ts";

const DATABASE = "pgbench";
const SCALE = "10";

/** PostgreSQL's own TPC-B on the same server, in a database of its own; null where pgbench is not installed. */
export async function runPgbench(
  databaseUrl: string,
  callers: number,
  seconds: number,
): Promise<Measured | null> {
  if (spawnSync("pgbench", ["--version"]).status !== 0) return null;
  await onServer(databaseUrl, `create database ${DATABASE}`);
  try {
    pgbench(databaseUrl, ["-i", "-q", "-s", SCALE]);
    const said = pgbench(databaseUrl, [
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
  } finally {
    await onServer(databaseUrl, `drop database ${DATABASE} with (force)`);
  }
}

function pgbench(databaseUrl: string, args: readonly string[]): string {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const env = {
    PATH: process.env["PATH"],
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: decodeURIComponent(password),
  };
  const { status, stdout, stderr } = spawnSync("pgbench", [...args, DATABASE], { env });
  if (status !== 0) throw new Error(`pgbench: ${stderr.toString()}`);
  return stdout.toString();
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
