import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import { type CallView, isFinal } from "./call.ts";

/** How long the runs of a pool took of late: their median in milliseconds, or null where none is known. */
type Pace = { readonly readAtMs: number; readonly runMs: Promise<number | null> };

/**
 * When calls may be done, reckoned from what their pools measured. Where nothing was measured, or a run already takes
 * longer than most, nothing is said.
 */
export class Estimates {
  readonly #db: Db;
  readonly #paces = new Map<string, Pace>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** In how many milliseconds a call may be done; null for one that has ended, and where nobody can tell. */
  async etaMs(call: CallView): Promise<number | null> {
    if (isFinal(call.state) || call.queue?.slots === 0) return null;
    const runMs = await this.#runMs(call.pool);
    return runMs === null ? null : etaOf(call, runMs);
  }

  async #runMs(pool: string): Promise<number | null> {
    const known = this.#paces.get(pool);
    if (known !== undefined && performance.now() - known.readAtMs < LIMITS.paceFreshMs)
      return await known.runMs;
    // An estimate is no reason to fail.
    const runMs = readRunMs(this.#db, pool).catch(() => null);
    this.#paces.set(pool, { readAtMs: performance.now(), runMs });
    return await runMs;
  }
}

/** The calls before it leave one after the other, as slots come free; then it runs itself. */
function etaOf({ queue, createdAt, startedAt, durationMs }: CallView, runMs: number): number | null {
  if (queue === null) {
    const waitedMs = (startedAt ?? createdAt).getTime() - createdAt.getTime();
    const leftMs = runMs - (durationMs - waitedMs);
    return leftMs >= 0 ? leftMs : null;
  }
  const before = Math.max(0, queue.position - Math.max(0, queue.slots - queue.busy));
  return Math.ceil((before / queue.slots) * runMs + runMs);
}

async function readRunMs(db: Db, pool: string): Promise<number | null> {
  const [row] = await db.query<{ run_ms: number | null }>(
    `select percentile_cont(0.5) within group (order by t.ms)::integer as run_ms
       from pool_ends n cross join lateral unnest(n.runs) t(ms)
      where n.pool = $1 and n.begins_at > clock_now() - $2 * interval '1 ms'`,
    [pool, LIMITS.paceKeptMs],
    { repeatable: true },
  );
  return row?.run_ms ?? null;
}
