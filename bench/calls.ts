/**
 * What a paid call costs: calls in a second and their latency, inline and queued, on both dispatchers, beside a bare
 * fastify server, the same statements by hand, pgbench, and the job queues of others, all on this machine in the same
 * minutes. The others know neither HTTP nor accounts nor money: a function call queues a job for a worker process, and
 * its caller waits for what the worker gives.
 *
 *   BENCH_SECONDS   how long each is measured (5), after a warm-up
 *   BENCH_DISPATCH  `postgres` or `redis` for one of them only
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { startRedis } from "../test/support/global-setup.ts";
import type { ProcessPlatform } from "../test/support/process-platform.ts";
import { type Account, headersOf, inProcess, MANY, withPeer, withPlatform } from "./harness.ts";
import type { Load } from "./load.ts";
import { withOwnDatabase } from "../test/support/own-database.ts";
import type { PeerAt } from "./peers/peers.ts";
import { runPgbench } from "./pgbench.ts";
import { printRatios, printTable, type Result } from "./report.ts";
import type { Statements } from "./statements.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 5);
/** The compiler goes on improving the hot path for some seconds. */
const WARM_UP_SECONDS = 6;
/** At 64 callers, as a share of bare fastify. */
const TARGETS = { inline: 0.06, "queued, calls table": 0.03, "queued, Redis": 0.025 };
const BARE = "bare fastify, GET";
/** Which peers do with the same store what ours does. */
const BESIDE = {
  "queued, calls table": ["graphile-worker", "pg-boss"],
  "queued, Redis": ["BullMQ, in memory", "BullMQ, durable"],
};
/** Every change is on disk before anybody hears of it, as it is in PostgreSQL. */
const DURABLE = ["--save", "", "--appendonly", "yes", "--appendfsync", "always"];

const results: Result[] = [];

async function main(): Promise<void> {
  console.log(`${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.versions.node}`);
  await measureBare();
  const only = process.env["BENCH_DISPATCH"];
  if (only !== "redis") await withPlatform({}, measurePostgres);
  await measureBare();
  if (only !== "postgres") await measureRedis();
  await measureBare();
  printTable(results, { what: BARE, callers: MANY });
  for (const [ours, peers] of Object.entries(BESIDE)) printRatios(results, ours, peers);
}

/** Before, between and after: on a machine that others use as well, the best of the three is what it can do. */
async function measureBare(): Promise<void> {
  const server = fork(join(import.meta.dirname, "bare.ts"));
  const [url] = (await once(server, "message")) as [string];
  for (const callers of [1, MANY]) {
    await measure({ what: BARE, callers }, { url, method: "GET", headers: [{}], body: null });
  }
  const headers = [{ "content-type": "application/json" }];
  await measure({ what: "bare fastify, POST", callers: MANY }, { url, method: "POST", headers, body: CALL });
  server.disconnect();
}

async function measurePostgres(platform: ProcessPlatform, accounts: readonly Account[]): Promise<void> {
  await measureCalls(platform, accounts, "calls table");
  const { databaseUrl } = platform.run();
  for (const peer of ["graphile-worker", "pg-boss"] as const) {
    const database = peer.replace("-", "_");
    await withOwnDatabase(databaseUrl, database, (url) => measurePeer({ peer, url }, peer));
  }
  for (const callers of [1, MANY]) {
    const statements: Statements = {
      databaseUrl,
      callers,
      seconds: SECONDS,
      warmUpSeconds: WARM_UP_SECONDS,
      accountIds: accounts.map(({ id }) => id),
    };
    note({ what: "the statements by hand", callers, measured: await inProcess("statements.ts", statements) });
  }
  const measured = await runPgbench(databaseUrl, MANY, SECONDS);
  if (measured === null) console.log("pgbench is not installed");
  else note({ what: "pgbench TPC-B (average latency)", callers: MANY, measured });
}

async function measureRedis(): Promise<void> {
  const redis = await startRedis();
  if (redis === null) return;
  await withPlatform({ REDIS_URL: redis.url }, (platform, accounts) =>
    measureCalls(platform, accounts, "Redis"),
  );
  await measurePeer({ peer: "BullMQ", url: redis.url }, "BullMQ, in memory");
  redis.process.kill();
  await measureDurableBullMq();
}

async function measureDurableBullMq(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "meshforge-bench-"));
  const redis = await startRedis([...DURABLE, "--dir", dir]);
  if (redis === null) return;
  await measurePeer({ peer: "BullMQ", url: redis.url }, "BullMQ, durable");
  redis.process.kill();
  await once(redis.process, "exit");
  await rm(dir, { recursive: true });
}

async function measurePeer(at: PeerAt, what: string): Promise<void> {
  await withPeer(at, async () => {
    for (const callers of [1, MANY]) {
      const load = { ...at, callers, seconds: SECONDS, warmUpSeconds: WARM_UP_SECONDS };
      note({ what, callers, measured: await inProcess("peers/caller.ts", load) });
    }
  });
}

async function measureCalls(
  platform: ProcessPlatform,
  accounts: readonly Account[],
  dispatcher: "calls table" | "Redis",
): Promise<void> {
  const { baseUrl } = platform.run();
  for (const kind of ["inline", "queued"] as const) {
    const load = (payers: readonly Account[]) => ({
      url: `${baseUrl}/api/call/${kind === "inline" ? "test-inline" : "test-work"}`,
      method: "POST" as const,
      headers: headersOf(payers),
      body: CALL,
    });
    const what = `${kind}, ${dispatcher}`;
    const target = kind === "inline" ? TARGETS.inline : TARGETS[`queued, ${dispatcher}`];
    await measure({ what, callers: 1 }, load(accounts));
    await measure({ what, callers: MANY, target }, load(accounts));
    await measure({ what: `${what}, one account`, callers: MANY }, load(accounts.slice(0, 1)));
  }
}

const CALL = JSON.stringify({ mode: "echo", text: "hello" });

async function measure(
  about: Omit<Result, "measured">,
  load: Omit<Load, "callers" | "seconds" | "warmUpSeconds">,
): Promise<void> {
  const whole: Load = { ...load, callers: about.callers, seconds: SECONDS, warmUpSeconds: WARM_UP_SECONDS };
  note({ ...about, measured: await inProcess("load.ts", whole) });
}

function note(result: Result): void {
  results.push(result);
  const { perSecond, p50Ms, p99Ms, faults } = result.measured;
  const faulty = faults > 0 ? `, ${faults} WITHOUT SUCCESS` : "";
  console.log(
    `${result.what}, ${result.callers} callers: ${Math.round(perSecond)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms${faulty}`,
  );
}

await main();
