import type { Pool } from "../catalog/define.ts";
import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import type { ObserveEnd } from "../observe/call-end.ts";
import type { Advancer } from "../runs/advancer.ts";
import type { Dispatcher, WakeBus } from "./dispatch.ts";
import { noteEnds } from "./ends.ts";

const TIDY_ROWS = 10_000;
/** At most this many hints are made good in one look at a pool. */
const HINTS_AT_ONCE = 1_000;

type Swept = {
  readonly id: string;
  readonly pool: Pool;
  readonly verdict: "ended" | "requeued";
  /** The run that has mail of it. */
  readonly run: string | null;
};

/**
 * Does what nobody else will: ends calls past their deadline, and requeues those whose worker was lost. What it tells
 * others may be lost or late, and never holds it up. Any number of processes may sweep at once.
 */
export async function sweepCalls({
  db,
  dispatcher,
  bus,
  onCallEnd,
  runs,
  onError,
}: {
  readonly db: Db;
  readonly dispatcher: Dispatcher;
  readonly bus: WakeBus;
  readonly onCallEnd: ObserveEnd;
  readonly runs: Pick<Advancer, "advance">;
  /** A requeued call could not be announced; `announceLost` makes it good. */
  readonly onError: (error: unknown) => void;
}): Promise<void> {
  const swept = await db.query<Swept>("select id, pool, verdict, run from sweep_calls($1)", [
    LIMITS.sweepCalls,
  ]);
  bus.publish(
    swept.map(({ id, verdict }) => ({ kind: verdict === "ended" ? "ended" : "event", callId: id })),
  );
  const ended = swept.filter(({ verdict }) => verdict === "ended").map(({ id }) => id);
  await noteEnds(db, ended, "sweep", onCallEnd);
  for (const { run } of swept) if (run !== null) void runs.advance(run);
  const requeued = swept.filter(({ verdict }) => verdict === "requeued");
  for (const [pool, calls] of Map.groupBy(requeued, (call) => call.pool)) {
    const ids = calls.map(({ id }) => id);
    dispatcher.announce(pool, ids).catch(onError);
  }
}

/**
 * Compares what waits with what is announced: a queue that was flushed, or a hint never sent, is made good. Where the
 * calls table is the queue, it is told again that calls wait: its consumers look seldom by themselves.
 */
export async function announceLost(db: Db, dispatcher: Dispatcher): Promise<void> {
  const lanes = await db.query<{ pool: Pool; queued: number }>(
    "select pool, sum(queued)::integer as queued from lanes where queued > 0 group by pool",
  );
  for (const { pool, queued } of lanes) {
    const announced = await dispatcher.waiting(pool);
    if (announced === null) await dispatcher.announce(pool, []);
    if (announced === null || announced >= queued) continue;
    const oldest = await db.query<{ id: string }>(
      "select id from calls where pool = $1 and state = 'queued' order by id limit $2",
      [pool, Math.min(queued - announced, HINTS_AT_ONCE)],
    );
    await dispatcher.announce(
      pool,
      oldest.map(({ id }) => id),
    );
  }
}

/** Forgets what has served its time; see the database's function `tidy`. */
export async function tidy(db: Db): Promise<void> {
  await db.query("select tidy($1)", [TIDY_ROWS]);
}
