import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import type { Advancer } from "./advancer.ts";

/**
 * Advances the runs that nobody else will: past their deadline, or left behind when a process died. `onRepairs` is told
 * how many of the latter there were. Any number of processes may sweep at once.
 */
export async function sweepRuns(
  db: Db,
  runs: Pick<Advancer, "advance">,
  onRepairs: (repairs: number) => void,
): Promise<void> {
  const [lost] = await db.query<{ ends: number }>("select remail_ends($1, $2) as ends", [
    LIMITS.runMailMs,
    LIMITS.runSweepRuns,
  ]);
  const found = await db.query<{ id: string; repair: boolean }>("select id, repair from sweep_runs($1, $2)", [
    LIMITS.runMailMs,
    LIMITS.runSweepRuns,
  ]);
  const repairs = found.filter(({ repair }) => repair).length + (lost?.ends ?? 0);
  if (repairs > 0) onRepairs(repairs);
  await Promise.all(found.map(({ id }) => runs.advance(id)));
}
