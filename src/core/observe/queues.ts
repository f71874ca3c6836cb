import type { Db } from "../db.ts";

/** How a pool stands at this moment, in the whole cluster. */
export type PoolQueue = {
  readonly pool: string;
  readonly queued: number;
  readonly running: number;
  /** How long the call has waited that waits longest; 0 where none does. */
  readonly oldest_s: number;
  readonly workers: number;
  readonly slots: number;
};

/** Each of these pools, from its lanes and its live workers. */
export async function readQueues(db: Db, pools: readonly string[]): Promise<PoolQueue[]> {
  return await db.query<PoolQueue>(
    `select p.pool, coalesce(l.queued, 0)::integer as queued, coalesce(l.running, 0)::integer as running,
            coalesce(extract(epoch from clock_now() - l.oldest), 0)::double precision as oldest_s,
            coalesce(w.workers, 0)::integer as workers, coalesce(w.slots, 0)::integer as slots
       from unnest($1::text[]) with ordinality p(pool, place)
       left join (select pool, sum(queued) as queued, sum(running) as running,
                         min(head_at) filter (where queued > 0) as oldest from lanes group by 1) l on l.pool = p.pool
       left join (select pool, count(*) as workers, sum(slots) as slots from workers
                   where seen_at > clock_now() - interval '5 seconds' group by 1) w on w.pool = p.pool
      order by p.place`,
    [pools],
  );
}
