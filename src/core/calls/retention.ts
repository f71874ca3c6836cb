import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";

/**
 * Makes the partitions of outputs and events that will be needed, and lets go of those of calls that ended more than
 * `days` ago. Safe to run at any time and at once. Returns how many partitions went.
 */
export async function retainResults(db: Db, days: number): Promise<number> {
  await db.query("select make_partitions($1)", [LIMITS.partitionsAheadWeeks]);
  const [row] = await db.query<{ dropped: number }>("select expire_results($1, $2) as dropped", [
    days,
    LIMITS.retentionRows,
  ]);
  return row?.dropped ?? 0;
}
