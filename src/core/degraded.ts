import { isNeeded, WORKER_POOLS } from "./calls/pools.ts";
import type { Pool } from "./catalog/define.ts";
import type { Db } from "./db.ts";
import { LIMITS } from "./limits.ts";

/**
 * What does not work though calls are taken, in plain sentences; empty where all is well. `pools` are those that some
 * capability needs (what is too long for `inline` needs `text`); the scheduled jobs need `system` besides.
 */
export async function findDegraded(db: Db, pools: ReadonlySet<Pool>): Promise<string[]> {
  const needed = WORKER_POOLS.filter((pool) => pool === "system" || isNeeded(pool, pools));
  const rows = await db.query<{ what: string }>(
    `select case p.pool when 'system' then 'no worker serves the pool system: no scheduled job runs, and lost calls stay lost'
                 else 'no worker serves the pool ' || p.pool end as what
       from unnest($1::text[]) p(pool)
      where not exists (select from workers w where w.pool = p.pool and w.seen_at > clock_now() - interval '5 seconds')
     union all
     select 'the job ' || s.name || ' has not run for ' || extract(epoch from clock_now() - s.due_at)::integer || ' s'
       from schedules s where s.due_at < clock_now() - $2 * interval '1 ms'
     union all
     select 'the last run of the job ' || s.name || ' failed'
       from schedules s where s.last_failed_at >= s.last_ran_at or (s.last_failed_at is not null and s.last_ran_at is null)
     union all
     select 'the model server of the tier ' || c.tier || ' does not answer'
       from model_circuits c where c.open_until > clock_now()`,
    [needed, LIMITS.jobOverdueMs],
  );
  return rows.map(({ what }) => what);
}
