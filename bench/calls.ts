/**
 * What a paid call costs: calls in a second and their latency, inline and queued, on both dispatchers, beside a bare
 * fastify server, the same statements by hand, and pgbench, all on this machine in the same minutes.
 *
 *   BENCH_SECONDS   how long each is measured (5), after a warm-up
 *   BENCH_DISPATCH  `postgres` or `redis` for one of them only
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { startRedis } from "../test/support/global-setup.ts";
import type { ProcessPlatform } from "../test/support/process-platform.ts";
import { type Account, headersOf, inProcess, MANY, withPlatform } from "./harness.ts";
import type { Load, Measured } from "./load.ts";
import { runPgbench } from "./pgbench.ts";
import type { Statements } from "./statements.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 5);
/** The compiler goes on improving the hot path for some seconds. */
const WARM_UP_SECONDS = 6;
/** At 64 callers, as a share of bare fastify. */
const TARGETS = { inline: 0.06, "queued, calls table": 0.03, "queued, Redis": 0.025 };

type Result = {
  readonly what: string;
  readonly callers: number;
  readonly measured: Measured;
  readonly target?: number;
};

const results: Result[] = [];

async function main(): Promise<void> {
  console.log(`${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.versions.node}`);
  await measureBare();
  const only = process.env["BENCH_DISPATCH"];
  if (only !== "redis") await withPlatform({}, measurePostgres);
  await measureBare();
  if (only !== "postgres") await measureRedis();
  await measureBare();
  printTable();
}

/** Before, between and after: on a machine that others use as well, the best of the three is what it can do. */
async function measureBare(): Promise<void> {
  const server = fork(join(import.meta.dirname, "bare.ts"));
  const [url] = (await once(server, "message")) as [string];
  for (const callers of [1, MANY]) {
    await measure({ what: "bare fastify, GET", callers }, { url, method: "GET", headers: [{}], body: null });
  }
  const headers = [{ "content-type": "application/json" }];
  await measure({ what: "bare fastify, POST", callers: MANY }, { url, method: "POST", headers, body: CALL });
  server.disconnect();
}

async function measurePostgres(platform: ProcessPlatform, accounts: readonly Account[]): Promise<void> {
  await measureCalls(platform, accounts, "calls table");
  const { databaseUrl } = platform.run();
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
  redis.process.kill();
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
    `${result.what}, ${result.callers} callers: ${Math.round(perSecond)}/s, p50 ${p50Ms} ms, p99 ${p99Ms} ms${faulty}`,
  );
}

function printTable(): void {
  const bare = Math.max(
    ...results
      .filter(({ what, callers }) => what === "bare fastify, GET" && callers === MANY)
      .map(({ measured }) => measured.perSecond),
  );
  const lines = results.map(({ what, callers, measured, target }) => {
    const share = measured.perSecond / bare;
    const verdict =
      target === undefined ? "" : `${share >= target ? "target met" : "TARGET NOT MET"} (${target})`;
    const cells = [
      what.padEnd(34),
      String(callers).padStart(7),
      String(Math.round(measured.perSecond)).padStart(8),
      showMs(measured.p50Ms),
      showMs(measured.p99Ms),
      share.toFixed(4).padStart(8),
    ];
    return `${cells.join("  ")}  ${verdict}`.trimEnd();
  });
  console.log(`\n${"".padEnd(34)}  callers     1/s   p50 ms   p99 ms  of bare`);
  console.log(lines.join("\n"));
}

const showMs = (ms: number): string => (Number.isNaN(ms) ? "" : ms.toFixed(1)).padStart(7);

await main();
