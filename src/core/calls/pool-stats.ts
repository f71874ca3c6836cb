import { POOLS, type Pool } from "../catalog/define.ts";
import type { Db } from "../db.ts";

/**
 * How a pool does. Times in milliseconds, of calls that ended in the last minute, of many of them a sample; null where
 * none did.
 */
export type PoolStats = {
  readonly pool: Pool;
  readonly queued: number;
  readonly running: number;
  readonly oldest_age_ms: number | null;
  readonly workers: number;
  readonly slots: number;
  readonly done_last_minute: number;
  readonly failed_last_minute: number;
  readonly wait_p50_ms: number | null;
  readonly wait_p99_ms: number | null;
  readonly run_p50_ms: number | null;
  readonly run_p99_ms: number | null;
};

/** All pools, from the lanes, the live workers and what is counted as calls end. Reads no calls. */
export async function readPools(db: Db): Promise<PoolStats[]> {
  return await db.query<PoolStats>(
    `select p.pool, coalesce(l.queued, 0)::integer as queued, coalesce(l.running, 0)::integer as running,
            (extract(epoch from clock_now() - l.oldest) * 1000)::integer as oldest_age_ms,
            coalesce(w.workers, 0)::integer as workers, coalesce(w.slots, 0)::integer as slots,
            e.done::integer as done_last_minute, e.failed::integer as failed_last_minute,
            wait.p50 as wait_p50_ms, wait.p99 as wait_p99_ms, run.p50 as run_p50_ms, run.p99 as run_p99_ms
       from unnest($1::text[]) with ordinality p(pool, place)
       left join (select pool, sum(queued) as queued, sum(running) as running,
                         min(head_at) filter (where queued > 0) as oldest from lanes group by 1) l on l.pool = p.pool
       left join (select pool, count(*) as workers, sum(slots) as slots from workers
                   where seen_at > clock_now() - interval '5 seconds' group by 1) w on w.pool = p.pool
       left join lateral (
         select coalesce(sum(n.succeeded), 0) as done, coalesce(sum(n.failed), 0) as failed
           from pool_ends n where n.pool = p.pool and n.begins_at > clock_now() - interval '1 minute'
       ) e on true
       left join lateral (
         select percentile_cont(0.5) within group (order by t.ms)::integer as p50,
                percentile_cont(0.99) within group (order by t.ms)::integer as p99
           from pool_ends n cross join lateral unnest(n.waits) t(ms)
          where n.pool = p.pool and n.begins_at > clock_now() - interval '1 minute'
       ) wait on true
       left join lateral (
         select percentile_cont(0.5) within group (order by t.ms)::integer as p50,
                percentile_cont(0.99) within group (order by t.ms)::integer as p99
           from pool_ends n cross join lateral unnest(n.runs) t(ms)
          where n.pool = p.pool and n.begins_at > clock_now() - interval '1 minute'
       ) run on true
      order by p.place`,
    [POOLS],
  );
}
