import { POOLS, type Pool } from "../catalog/define.ts";

/** How a pool's workers run its calls. */
export type PoolSettings = {
  /** Calls at once in one worker process; `cpus` is one for each processor. */
  readonly slots: number | "cpus";
  /** CPU work runs in threads of its own, which can be ended whatever they do. */
  readonly threads: ThreadLimits | null;
};

export type ThreadLimits = {
  /** Longer than any honest run, shorter than a caller's patience. */
  readonly timeMs: number;
  readonly heapMb: number;
  /** Array buffers, which lie outside the heap. */
  readonly buffersMb: number;
};

/** What the longest input of a text takes in a thread, several times over. */
export const TEXT_TIMEOUT_MS = 20_000;

const remote = (slots: number): PoolSettings => ({ slots, threads: null });

/** The pools whose calls no worker claims. */
type OwnPool = "inline" | "state" | "run";

/** All pools that have workers. What is too much for `inline` runs in `text`. */
export const POOL_SETTINGS: Readonly<Record<Exclude<Pool, OwnPool>, PoolSettings>> = {
  text: { slots: "cpus", threads: { timeMs: TEXT_TIMEOUT_MS, heapMb: 512, buffersMb: 256 } },
  cam: { slots: "cpus", threads: { timeMs: 10_000, heapMb: 256, buffersMb: 384 } },
  image: remote(4),
  brain: remote(32),
  "brain-large": remote(8),
  probe: remote(16),
  forward: remote(64),
  fusion: remote(16),
  system: remote(16),
};

export type WorkerPool = keyof typeof POOL_SETTINGS;

export const WORKER_POOLS = POOLS.filter((pool): pool is WorkerPool => Object.hasOwn(POOL_SETTINGS, pool));

/**
 * Whether a pool needs workers so that the calls of capabilities in the `given` pools are run. What would stay in the API
 * process if it were called runs elsewhere as a part of a run.
 */
export const isNeeded = (pool: WorkerPool, given: ReadonlySet<Pool>): boolean =>
  given.has(pool) || (pool === "text" && given.has("inline")) || (pool === "system" && given.has("run"));
