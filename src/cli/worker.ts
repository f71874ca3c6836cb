import { tellReady } from "../platform/supervision/parent.ts";
import { serve, type ServedPool } from "../../workers/serve.ts";
import { type Config, loadConfig } from "../platform/config.ts";
import { POOL_SETTINGS, WORKER_POOLS, type WorkerPool } from "../core/calls/pools.ts";
import { createRuntime } from "../platform/runtime.ts";
import { databaseUrlOf } from "./database-url.ts";
import { createLog } from "../platform/log.ts";
import { live } from "../platform/process-life.ts";

/** What is left of the drain for reporting what was stopped, and closing. */
const CLOSING_MS = 2_000;

/** Serves pools in this process. */
export async function worker(names: string, concurrency: number | undefined): Promise<void> {
  const config = loadConfig();
  const pools = parsePools(names, concurrency, config);
  const log = createLog(config, `worker ${names}`);
  const onFault = (error: unknown): void => log.error({ err: error }, "the process");
  const onLate = (what: string): void => log.error(`the process: ${what}`);
  await live({ limitMs: config.drainMs, onFault, onLate }, async ({ onStop }) => {
    const runtime = await createRuntime(config, await databaseUrlOf(config), `worker ${names}`);
    onStop(() => runtime.close());
    const server = await serve(runtime, pools);
    onStop(() => server.drain(Math.max(0, config.drainMs - CLOSING_MS)));
    tellReady();
  });
}

function parsePools(names: string, concurrency: number | undefined, { cpus }: Config): ServedPool[] {
  return [...new Set(names.split(","))].map((name) => {
    const pool = WORKER_POOLS.find((known) => known === name);
    if (pool === undefined)
      throw new Error(`There is no pool ${name}. Pools with workers: ${WORKER_POOLS.join(", ")}.`);
    return { pool, slots: concurrency ?? slotsOf(pool, cpus) };
  });
}

function slotsOf(pool: WorkerPool, cpus: number): number {
  const { slots } = POOL_SETTINGS[pool];
  return slots === "cpus" ? cpus : slots;
}
