import { batch } from "../batch.ts";
import type { Availability } from "../catalog/availability.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { HandlerServices } from "../catalog/define.ts";
import type { TransactionalDb } from "../db.ts";
import type { Advancer } from "../runs/advancer.ts";
import { AppError } from "../errors.ts";
import type { FailPoint } from "../fail-point.ts";
import { LIMITS } from "../limits.ts";
import type { ObserveEnd } from "../observe/call-end.ts";
import type { OutboundRule } from "../outbound/targets.ts";
import type { Turns } from "../turns.ts";
import { Authorisations } from "./authorise.ts";
import { type CallView, isFinal, readCalls } from "./call.ts";
import { CallChecks, type CheckedCall } from "./call-checks.ts";
import type { CallRequest } from "./call-request.ts";
import type { Dispatcher, WakeBus } from "./dispatch.ts";
import { noteEnds } from "./ends.ts";
import { InlineCalls } from "./inline-calls.ts";
import type { Made } from "./made.ts";
import type { OutputStore } from "./outputs.ts";
import { QueuedCalls } from "./queued-calls.ts";
import { refusals } from "./refusals.ts";
import { createSettle } from "./settle.ts";
import { settledFault } from "./settled-fault.ts";
import { StateCalls } from "./state-calls.ts";
import { Waiters } from "./waiters.ts";

export type CallsOptions = {
  readonly db: TransactionalDb;
  readonly catalog: Catalog;
  readonly availability: Availability;
  readonly dispatcher: Dispatcher;
  readonly bus: WakeBus;
  readonly outputs: OutputStore;
  readonly runs: Pick<Advancer, "advance" | "rulesOf">;
  readonly services: HandlerServices;
  readonly turns: Turns;
  readonly failPoint: FailPoint;
  readonly maxQueuedPerAccount: number;
  readonly outbound: OutboundRule;
  readonly buyUrl: string;
  readonly onCallEnd: ObserveEnd;
  readonly onError: (error: unknown, context: Readonly<Record<string, unknown>>) => void;
};

/** A call that is made, and whether it was there before. */
type Started = { readonly call: CallView; readonly replayed: boolean };

/** Makes calls, each where its capability runs, waits for their ends, and takes them back. The same for every surface. */
export class Calls {
  readonly #options: CallsOptions;
  readonly #inline: InlineCalls;
  readonly #state: StateCalls;
  readonly #queued: QueuedCalls;
  /** What is checked before a call is settled; a door may ask early. */
  readonly checks: CallChecks;
  readonly waiters: Waiters;
  /** The call of this id, or undefined. */
  readonly read: (id: string) => Promise<CallView | undefined>;

  constructor(options: CallsOptions) {
    this.#options = options;
    this.waiters = new Waiters({
      db: options.db,
      onError: (error) => options.onError(error, { at: "recheck" }),
    });
    this.read = batch<string, CallView | undefined>({
      maxItems: LIMITS.settleBatch,
      maxInFlight: LIMITS.settleBatchesInFlight,
      run: async (ids) => {
        const found = new Map((await readCalls(options.db, ids)).map((call) => [call.id, call]));
        return ids.map((id) => found.get(id));
      },
    });
    const means = {
      authorisations: new Authorisations(options.db),
      refuse: refusals(options),
      settle: createSettle(options.db, options.maxQueuedPerAccount, options.onCallEnd),
    };
    this.checks = new CallChecks({ ...options, ...means });
    this.#inline = new InlineCalls({ ...options, ...means });
    this.#state = new StateCalls({ ...options, ...means });
    this.#queued = new QueuedCalls({
      ...options,
      ...means,
      waiters: this.waiters,
      read: (id) => this.#readSettled(id),
    });
  }

  /**
   * Makes a call: checks it, settles it, and waits for its end up to `waitMs`. What is refused before settling is
   * thrown (`AppError`, `Refusal`) and costs nothing; whatever happens after it is in the returned call.
   */
  async start(request: CallRequest): Promise<Started> {
    const checked = await this.checks.check(request);
    const made = "first" in checked ? repeated(checked.first) : await this.#make(checked, request);
    if ("call" in made) return made;
    const { caller, waitMs, giveUp } = request;
    const call = await readable(made.callId, () => this.poll(caller.accountId, made.callId, waitMs, giveUp));
    return { call, replayed: made.replayed };
  }

  /**
   * A call of this account, waiting for its end up to `waitMs` or until `giveUp`. Throws `not_found` for every other
   * call.
   */
  async poll(accountId: string, callId: string, waitMs: number, giveUp?: Promise<void>): Promise<CallView> {
    const watch = this.waiters.watch(callId);
    try {
      const call = await this.#own(accountId, callId);
      if (isFinal(call.state) || waitMs === 0) return call;
      await watch.ended(waitMs, giveUp);
      return await this.#own(accountId, callId);
    } finally {
      watch.stop();
    }
  }

  /** Takes a call back. Throws `not_found`, or `already_ended`. */
  async cancel(accountId: string, callId: string): Promise<CallView> {
    const { db, bus, runs, onCallEnd } = this.#options;
    const [row] = await db.query<{ verdict: string; run: string | null }>(
      "select verdict, run from cancel_call($1, $2)",
      [callId, accountId],
    );
    if (row?.verdict === "unknown") throw new AppError("not_found", "There is no such call of this account.");
    if (row?.verdict === "ended") throw new AppError("already_ended", "This call has already ended.");
    const ended = row?.verdict === "cancelled";
    bus.publish([{ kind: ended ? "ended" : "cancel", callId }]);
    if (ended) await noteEnds(db, [callId], "cancel", onCallEnd);
    if (typeof row?.run === "string") await runs.advance(row.run);
    return await this.#own(accountId, callId);
  }

  async #own(accountId: string, callId: string): Promise<CallView> {
    const call = await this.read(callId);
    if (call?.accountId !== accountId)
      throw new AppError("not_found", "There is no such call of this account.");
    return call;
  }

  async #readSettled(callId: string): Promise<CallView> {
    return await readable(callId, async () => {
      const call = await this.read(callId);
      if (call === undefined) throw new Error(`the settled call ${callId} is not there`);
      return call;
    });
  }

  async #make(call: CheckedCall, request: CallRequest): Promise<Made> {
    switch (call.capability.pool) {
      case "inline":
        return (await this.#inline.start(call)) ?? (await this.#queued.startMoved(call, request));
      case "state":
        return await this.#state.start(call);
      default:
        return await this.#queued.start(call, request);
    }
  }
}

/** What is read of a call that was settled; a fault of that must not look like a refusal. */
async function readable(callId: string, read: () => Promise<CallView>): Promise<CallView> {
  try {
    return await read();
  } catch (error) {
    throw settledFault(error, callId, "What became of this call cannot be read");
  }
}

const repeated = (callId: string): Made => ({ callId, replayed: true });
