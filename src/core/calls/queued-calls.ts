import type { FailPoint } from "../fail-point.ts";
import type { Advancer } from "../runs/advancer.ts";
import type { Authorisations } from "./authorise.ts";
import type { CallView } from "./call.ts";
import type { CheckedCall } from "./call-checks.ts";
import type { CallRequest, PoolSettlement } from "./call-request.ts";
import type { Dispatcher } from "./dispatch.ts";
import type { Made } from "./made.ts";
import { TEXT_TIMEOUT_MS } from "./pools.ts";
import { checkAccepted, type Refuse } from "./refusals.ts";
import type { Settlement, Verdict } from "./settle.ts";
import type { Waiters } from "./waiters.ts";

export type QueuedCallsOptions = {
  readonly dispatcher: Dispatcher;
  readonly runs: Pick<Advancer, "advance" | "rulesOf">;
  readonly failPoint: FailPoint;
  readonly onError: (error: unknown, context: Readonly<Record<string, unknown>>) => void;
  readonly settle: (item: Settlement) => Promise<Verdict>;
  readonly authorisations: Authorisations;
  readonly refuse: Refuse;
  readonly waiters: Waiters;
  /** A call that is settled. */
  readonly read: (id: string) => Promise<CallView>;
};

type Wait = Pick<CallRequest, "waitMs" | "giveUp">;

/** The executor of all pools that have workers, and of runs: settles a call, tells whom it concerns, and waits. */
export class QueuedCalls {
  readonly #options: QueuedCallsOptions;

  constructor(options: QueuedCallsOptions) {
    this.#options = options;
  }

  async start({ capability, settlement }: CheckedCall, wait: Wait): Promise<Made> {
    if (capability.pool !== "run") return await this.#settle(settlement, wait);
    const { version } = await this.#options.runs.rulesOf(capability);
    return await this.#settle({ ...settlement, state: "waiting", run_rules: version }, wait);
  }

  /** A call of the inline pool that is run in a thread of a worker: its time is the pool's. */
  async startMoved({ settlement }: CheckedCall, wait: Wait): Promise<Made> {
    return await this.#settle({ ...settlement, pool: "text", timeout_ms: TEXT_TIMEOUT_MS }, wait);
  }

  async #settle(settlement: PoolSettlement, { waitMs, giveUp }: Wait): Promise<Made> {
    const { authorisations, failPoint, read, refuse, settle, waiters } = this.#options;
    const watch = waiters.watch(settlement.id);
    try {
      const verdict = await settle(settlement);
      if (verdict.verdict === "replayed") return { callId: verdict.callId, replayed: true };
      checkAccepted(verdict, settlement, refuse);
      authorisations.note(settlement, verdict);
      failPoint("between commit and dispatch");
      this.#announce(settlement);
      if (waitMs > 0) await watch.ended(waitMs, giveUp);
      return { call: await read(settlement.id), replayed: false };
    } finally {
      watch.stop();
    }
  }

  /** A hint that is not sent costs time only: the sweeper sends it again. */
  #announce({ pool, id }: PoolSettlement): void {
    const { dispatcher, onError, runs } = this.#options;
    if (pool === "run") return void runs.advance(id);
    dispatcher.announce(pool, [id]).catch((error: unknown) => onError(error, { callId: id }));
  }
}
