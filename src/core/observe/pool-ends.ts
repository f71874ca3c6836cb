import type { CallEnd } from "./call-end.ts";

/** Of the times of a pool's calls, so many are told of each second. */
const SAMPLES = 64;

/** How calls of a pool ended; the times in milliseconds, of many calls a sample. */
export type PoolEnds = {
  readonly pool: string;
  readonly succeeded: number;
  readonly failed: number;
  readonly waits: readonly number[];
  readonly runs: readonly number[];
};

/** Collects how the calls that this process ended did, until somebody takes it. */
export class RecentEnds {
  #pools = new Map<string, { succeeded: number; failed: number; waits: Sample; runs: Sample }>();

  note({ pool, outcome, waitMs, runMs }: CallEnd): void {
    let ends = this.#pools.get(pool);
    if (ends === undefined)
      this.#pools.set(pool, (ends = { succeeded: 0, failed: 0, waits: new Sample(), runs: new Sample() }));
    if (outcome === "succeeded") ends.succeeded++;
    else ends.failed++;
    if (waitMs !== null) ends.waits.add(waitMs);
    if (runMs !== null) ends.runs.add(runMs);
  }

  /** What was noted since the last time. */
  take(): PoolEnds[] {
    const taken = [...this.#pools].map(([pool, { succeeded, failed, waits, runs }]) => ({
      pool,
      succeeded,
      failed,
      waits: waits.values,
      runs: runs.values,
    }));
    this.#pools.clear();
    return taken;
  }
}

/** A uniform sample of numbers that come one by one (reservoir sampling: Vitter, 1985, algorithm R). */
class Sample {
  readonly values: number[] = [];
  #seen = 0;

  add(value: number): void {
    const place = this.#seen < SAMPLES ? this.#seen : Math.floor(Math.random() * (this.#seen + 1));
    if (place < SAMPLES) this.values[place] = Math.round(value);
    this.#seen++;
  }
}
