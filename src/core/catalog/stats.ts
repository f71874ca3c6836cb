import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";

/** What the calls of a capability say of it. */
export type Stats = {
  readonly calls: number;
  readonly callsExternal: number;
  /** Percent of the last ended calls that succeeded, to one decimal; null for too few. */
  readonly reliability: number | null;
};

const NONE: Stats = { calls: 0, callsExternal: 0, reliability: null };

/** Below this many ended calls a percentage says nothing. */
const RELIABILITY_SAMPLE = { min: 5, max: 50 };

/** A call is counted when it is settled and ends later: until then its capability's reliability may change. */
const MAY_END_FOR_MS = LIMITS.deadlineMs + LIMITS.timeoutMs;

/**
 * The counters of all capabilities as of some seconds ago, read behind the back of those who ask. What has not changed
 * stays the same object.
 */
export class CatalogStats {
  readonly #db: Db;
  readonly #onError: (error: unknown) => void;
  #stats: ReadonlyMap<string, Stats> = new Map();
  #version = 0;
  readonly #mayChangeUntilMs = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;

  constructor(db: Db, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  /** Another number whenever any of them is another. */
  get version(): number {
    return this.#version;
  }

  of(slug: string): Stats {
    return this.#stats.get(slug) ?? NONE;
  }

  /** Reads them, and from now on again and again. Throws where they cannot be read. */
  async start(): Promise<void> {
    await this.#read();
    this.#timer = setInterval(() => {
      this.#reading ??= this.#read()
        .catch(this.#onError)
        .finally(() => (this.#reading = undefined));
    }, LIMITS.catalogStatsMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading;
  }

  async #read(): Promise<void> {
    const counts = await this.#db.query<{ slug: string; calls: number; calls_external: number }>(
      "select slug, sum(calls) as calls, sum(calls_external) as calls_external from capability_counts group by slug",
      [],
      { repeatable: true },
    );
    const nowMs = performance.now();
    for (const { slug, calls } of counts) {
      if (this.of(slug).calls !== calls) this.#mayChangeUntilMs.set(slug, nowMs + MAY_END_FOR_MS);
    }
    const reliability = await this.#readReliability();
    const next = new Map<string, Stats>();
    let same = true;
    for (const { slug, calls, calls_external: callsExternal } of counts) {
      const before = this.of(slug);
      const now = { calls, callsExternal, reliability: reliability.get(slug) ?? before.reliability };
      const changed = Object.entries(now).some(([key, value]) => before[key as keyof Stats] !== value);
      next.set(slug, changed ? now : before);
      same &&= !changed;
    }
    if (same) return;
    this.#stats = next;
    this.#version += 1;
  }

  /** Of those whose reliability may have changed. */
  async #readReliability(): Promise<ReadonlyMap<string, number | null>> {
    const nowMs = performance.now();
    const slugs = [...this.#mayChangeUntilMs.keys()];
    if (slugs.length === 0) return new Map();
    const rows = await this.#db.query<{ slug: string; reliability: number | null }>(
      `select s.slug, case when r.sample >= $2 then round(100.0 * r.good / r.sample, 1) end as reliability
         from unnest($1::text[]) s(slug)
         cross join lateral (
           select count(*) as sample, sum(e.counted & 1) as good from (
             select x.counted from capability_counts c cross join lateral unnest(c.recent) x(counted)
              where c.slug = s.slug order by x.counted desc limit $3) e) r`,
      [slugs, RELIABILITY_SAMPLE.min, RELIABILITY_SAMPLE.max],
      { repeatable: true },
    );
    for (const [slug, untilMs] of this.#mayChangeUntilMs)
      if (untilMs < nowMs) this.#mayChangeUntilMs.delete(slug);
    return new Map(rows.map(({ slug, reliability }) => [slug, reliability]));
  }
}
