import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../db.ts";
import type { CallEnd } from "./call-end.ts";
import { RecentEnds } from "./pool-ends.ts";

/** The upper bounds of the histograms' buckets, in seconds: from an inline call to a deadline. */
const BUCKETS_S = [
  0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600,
] as const;
/** How old what a process has counted may be before the cluster knows of it. */
const FLUSH_MS = 1_000;
/** How long who asks for the counts waits until those of its own process are among them. */
const FLUSH_LIMIT_MS = 500;

const TIMES = ["wait", "run"] as const;

/** A histogram as it is told: cumulative counts by upper bound, the last of them `+Inf`. */
export type Histogram = {
  readonly buckets: readonly { readonly le: number | "+Inf"; readonly count: number }[];
  readonly sum: number;
};

/** What was counted of a pool, by all processes together, since the database was made. */
export type PoolCounts = {
  readonly pool: string;
  readonly outcomes: ReadonlyMap<string, number>;
  readonly times: Readonly<Record<(typeof TIMES)[number], Histogram>>;
};

/**
 * Counts the calls that this process ended, and adds them to the cluster's counters and to the ends of the last minute in
 * the database each second: workers are other processes than those that answer `/metrics` and `/pools`, and a call that
 * ends is not to wait for what is counted of it. What a killed process had not added is not counted.
 */
export class PoolCounters {
  readonly #db: Db;
  readonly #onError: (error: unknown) => void;
  readonly #recent = new RecentEnds();
  #pending = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Db, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  count(end: CallEnd): void {
    const { pool, outcome, waitMs, runMs } = end;
    this.#recent.note(end);
    this.#add(pool, `calls:${outcome}`, 1);
    if (waitMs !== null) this.#time(pool, "wait", waitMs / 1000);
    if (runMs !== null) this.#time(pool, "run", runMs / 1000);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /**
   * Adds what was counted. Never rejects: counters that cannot be added are kept for the next time, which is too late for
   * what ended of late.
   */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.size === 0) return;
    const adding = this.#pending;
    this.#pending = new Map();
    const keys = [...adding.keys()].map((key) => key.split(" ") as [string, string]);
    try {
      await this.#db.query("select add_pool_counters($1, $2, $3), add_pool_ends($4)", [
        keys.map(([pool]) => pool),
        keys.map(([, counter]) => counter),
        [...adding.values()],
        JSON.stringify(this.#recent.take()),
      ]);
    } catch (error) {
      this.#onError(error);
      for (const [key, value] of adding) this.#pending.set(key, (this.#pending.get(key) ?? 0) + value);
      this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
    }
  }

  /** Adds what was counted, as far as that takes no longer than somebody who waits for it should. */
  async flushSoon(): Promise<void> {
    await Promise.race([this.flush(), sleep(FLUSH_LIMIT_MS, undefined, { ref: false })]);
  }

  #time(pool: string, name: (typeof TIMES)[number], seconds: number): void {
    this.#add(pool, `${name}:${BUCKETS_S.find((le) => seconds <= le) ?? "+Inf"}`, 1);
    this.#add(pool, `${name}:sum`, seconds);
  }

  #add(pool: string, counter: string, value: number): void {
    const key = `${pool} ${counter}`;
    this.#pending.set(key, (this.#pending.get(key) ?? 0) + value);
  }
}

/** The cluster's counters of each of these pools. */
export async function readPoolCounts(db: Db, pools: readonly string[]): Promise<PoolCounts[]> {
  const rows = await db.query<{ pool: string; counter: string; value: number }>(
    "select pool, counter, value from pool_counters",
  );
  const values = new Map(rows.map(({ pool, counter, value }) => [`${pool} ${counter}`, value]));
  return pools.map((pool) => {
    const value = (counter: string): number => values.get(`${pool} ${counter}`) ?? 0;
    return {
      pool,
      outcomes: new Map(
        ["succeeded", "failed", "cancelled", "expired"].map((outcome) => [
          outcome,
          value(`calls:${outcome}`),
        ]),
      ),
      times: { wait: histogram("wait", value), run: histogram("run", value) },
    };
  });
}

function histogram(name: (typeof TIMES)[number], value: (counter: string) => number): Histogram {
  let count = 0;
  const buckets = [...BUCKETS_S, "+Inf" as const].map((le) => ({
    le,
    count: (count += value(`${name}:${le}`)),
  }));
  return { buckets, sum: value(`${name}:sum`) };
}
