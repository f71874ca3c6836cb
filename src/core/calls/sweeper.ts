import type { Pool } from "../catalog/define.ts";
import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import type { Dispatcher, WakeBus } from "./dispatch.ts";

const TIDY_EVERY_SWEEPS = 120;
const TIDY_ROWS = 10_000;
/** At most this many hints are made good in one sweep of a pool. */
const HINTS_AT_ONCE = 1_000;

export type SweeperOptions = {
  readonly db: Db;
  readonly dispatcher: Dispatcher;
  readonly bus: WakeBus;
  readonly onError: (error: unknown) => void;
};

type Swept = { readonly id: string; readonly pool: Pool; readonly verdict: "ended" | "requeued" };

/**
 * Looks every half second for what nobody else will do: ends calls past their deadline, requeues those whose worker
 * was lost, and announces again those whose hint was. Any number of processes may sweep at once.
 */
export class Sweeper {
  readonly #options: SweeperOptions;
  #sweeps = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #announcing: Promise<void> | undefined;

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  start(): void {
    const next = (): void => {
      this.#running = this.sweep().catch(this.#options.onError);
      void this.#running.then(() => {
        if (this.#timer !== undefined) this.#timer = setTimeout(next, LIMITS.sweepMs);
      });
    };
    this.#timer = setTimeout(next, LIMITS.sweepMs);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
  }

  /** One sweep. What it tells others may be lost or late, and never holds it up. */
  async sweep(): Promise<void> {
    const { db, bus, onError } = this.#options;
    const swept = await db.query<Swept>("select id, pool, verdict from sweep_calls($1)", [LIMITS.sweepCalls]);
    bus.publish(
      swept.map(({ id, verdict }) => ({ kind: verdict === "ended" ? "ended" : "event", callId: id })),
    );
    this.#announceRequeued(swept);
    if (this.#announcing === undefined) {
      this.#announcing = this.#announceLost()
        .catch(onError)
        .finally(() => {
          this.#announcing = undefined;
        });
    }
    if (this.#sweeps++ % TIDY_EVERY_SWEEPS === 0) await db.query("select tidy($1)", [TIDY_ROWS]);
  }

  #announceRequeued(swept: readonly Swept[]): void {
    const requeued = swept.filter(({ verdict }) => verdict === "requeued");
    for (const [pool, calls] of Map.groupBy(requeued, (call) => call.pool)) {
      const ids = calls.map(({ id }) => id);
      this.#options.dispatcher.announce(pool, ids).catch(this.#options.onError);
    }
  }

  /** Compares what waits with what is announced: a queue that was flushed, or a hint never sent, is made good. */
  async #announceLost(): Promise<void> {
    const { db, dispatcher } = this.#options;
    const lanes = await db.query<{ pool: Pool; queued: number }>(
      "select pool, sum(queued)::integer as queued from lanes where queued > 0 group by pool",
    );
    for (const { pool, queued } of lanes) {
      const announced = await dispatcher.waiting(pool);
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
}
