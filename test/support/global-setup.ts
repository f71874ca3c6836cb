import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { startPostgres } from "../../src/platform/embedded/postgres.ts";
import { migrate } from "../../src/adapters/postgres/migrate.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The server; its database `meshforge_template` is migrated, and each test file copies it. */
    databaseUrl: string;
    /** A Redis of the test run's own; null where there is no redis-server. */
    redisUrl: string | null;
  }
}

/** One PostgreSQL and one Redis for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), "meshforge-test-"));
  const postgres = await startPostgres({ dataDir: directory });
  await makeTemplate(postgres.url);
  const redis = await startRedis();
  project.provide("databaseUrl", postgres.url);
  project.provide("redisUrl", redis?.url ?? null);
  return async () => {
    redis?.process.kill();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
}

/** Nobody needs this server's data after a crash: it writes nothing to the disk that a test would wait for. */
const CARELESS = ["fsync = off", "full_page_writes = off", "synchronous_commit = off"];

async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const setting of CARELESS) await client.query(`alter system set ${setting}`);
  await client.query("select pg_reload_conf()");
  await client.query("create database meshforge_template");
  await client.end();
  const template = new URL(url);
  template.pathname = "/meshforge_template";
  await migrate(template.href);
}

const IN_MEMORY = ["--save", "", "--appendonly", "no"];

/** A Redis of its own, or null where none is installed; in CI that is an error. */
export async function startRedis(
  settings: readonly string[] = IN_MEMORY,
): Promise<{ url: string; process: ChildProcess } | null> {
  if (spawnSync("redis-server", ["--version"]).status !== 0) {
    if (process.env["CI"] !== undefined)
      throw new Error("CI needs redis-server: half of the suite runs on it.");
    console.warn("redis-server is not installed: the Redis half of the integration suite is SKIPPED.");
    return null;
  }
  const port = await freePort();
  const server = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", ...settings], {
    stdio: "ignore",
  });
  await reachable(port);
  return { url: `redis://127.0.0.1:${port}`, process: server };
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function reachable(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const probe = spawnSync("redis-cli", ["-p", String(port), "ping"]);
    if (probe.stdout?.toString().trim() === "PONG") return;
    await sleep(50);
  }
  throw new Error(`redis-server does not answer on ${port}`);
}
