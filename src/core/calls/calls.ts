import { batch } from "../batch.ts";
import { sha256Hex } from "../canonical.ts";
import type { Availability } from "../catalog/availability.ts";
import type { Capability } from "../catalog/capability.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { HandlerServices, Pool } from "../catalog/define.ts";
import type { Surface } from "../catalog/offer.ts";
import type { Found } from "../catalog/snapshot.ts";
import type { TransactionalDb } from "../db.ts";
import type { Advancer } from "../runs/advancer.ts";
import { AppError, Refusal } from "../errors.ts";
import type { FailPoint } from "../fail-point.ts";
import { newId } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import type { Price } from "../money.ts";
import type { ObserveEnd } from "../observe/call-end.ts";
import { beginSpan, inSpan } from "../observe/tracing.ts";
import type { OutboundRule } from "../outbound/targets.ts";
import type { Turns } from "../turns.ts";
import { acceptWebhook } from "../webhooks/accept.ts";
import { Authorisations, type Authority, type Wish } from "./authorise.ts";
import { type CallView, isFinal, readCalls } from "./call.ts";
import type { Dispatcher, WakeBus } from "./dispatch.ts";
import type { Outcome } from "./execute.ts";
import { InlineRuns } from "./inline-runs.ts";
import type { OutputStore } from "./outputs.ts";
import { TEXT_TIMEOUT_MS } from "./pools.ts";
import { type CallBody, type PreparedInput, valueOf } from "./prepare.ts";
import { readEnds } from "./ends.ts";
import { checkMaxPrice, refusalOf, type RefusalVerdict } from "./refusals.ts";
import { aboutCall, createSettle, endOf, type Settlement, type Verdict } from "./settle.ts";
import { settledFault } from "./settled-fault.ts";
import { StateCalls } from "./state-call.ts";
import { Waiters } from "./waiters.ts";

/** Who pays. */
export type Caller = { readonly accountId: string; readonly keyId: string };

export type CallRequest = {
  readonly caller: Caller;
  readonly surface: Surface;
  /** What the capability is called there. */
  readonly name: string;
  readonly body: CallBody;
  readonly waitMs: number;
  readonly idempotencyKey: string | null;
  /** The most that the caller will pay, in the offer's units. */
  readonly maxPrice: number | null;
  /** Ends the wait, and nothing else. */
  readonly giveUp?: Promise<void>;
  /** Where the caller wants the end of the call posted. */
  readonly webhook?: string | null;
  /** What logs call the request. */
  readonly requestId?: string;
  /** Where it stands in a trace. */
  readonly traceparent?: string | null;
};

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

type PoolSettlement = Settlement & { readonly pool: Pool };

/** A call that is made, and whether it was there before. */
type Started = { readonly call: CallView; readonly replayed: boolean };

/** Settles calls, hands them to their pools, and waits for their ends. The same for every surface. */
export class Calls {
  readonly #options: CallsOptions;
  readonly #settle: (item: Settlement) => Promise<Verdict>;
  readonly #authorisations: Authorisations;
  readonly #inline: InlineRuns;
  readonly #state: StateCalls;
  readonly waiters: Waiters;
  /** The call of this id, or undefined. */
  readonly read: (id: string) => Promise<CallView | undefined>;

  constructor(options: CallsOptions) {
    this.#options = options;
    this.#settle = createSettle(options.db, options.maxQueuedPerAccount, options.onCallEnd);
    this.#authorisations = new Authorisations(options.db);
    this.#inline = new InlineRuns(options);
    this.#state = new StateCalls(options);
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
  }

  /** What a surface sells under a name, which can be told before anything else is read. Throws `unknown_capability`. */
  find({ surface, name }: Pick<CallRequest, "surface" | "name">): Found {
    const found = this.#options.catalog.find(surface, name);
    if (found === undefined)
      throw new AppError("unknown_capability", `There is no capability ${JSON.stringify(name)}.`);
    return found;
  }

  /**
   * Makes a call: checks it, settles it, and waits for its end up to `waitMs`. What is refused before settling is
   * thrown (`AppError`, `Refusal`) and costs nothing; whatever happens after it is in the returned call. The order of
   * the checks is part of the contract: a replay answers whatever has become of the capability, the input or the balance.
   */
  async start(request: CallRequest): Promise<Started> {
    const { capability, offer } = this.find(request);
    const keyed = request.idempotencyKey !== null;
    const { accountId } = request.caller;
    const { sha256, input } = await request.body.prepare({ accountId, capability, keyed });
    const wish = settlementOf(request, capability, offer.price, sha256);
    const looked = keyed ? await this.#authorisations.look(wish) : undefined;
    if (looked?.verdict === "replayed") return await this.#replay(request, looked.callId ?? "");
    if (looked?.verdict === "mismatch" || looked?.verdict === "unauthorized")
      throw this.#refusal(looked.verdict, wish);
    await this.#options.availability.check(capability);
    if (input instanceof AppError || input instanceof Refusal) throw input;
    const settlement: PoolSettlement = {
      ...wish,
      input: input.json,
      input_sha256: input.sha256,
      webhook_url: await this.#webhookUrl(request),
    };
    checkMaxPrice(offer.price, request.maxPrice);
    if (capability.pool === "state")
      return await this.#startState(request, capability, valueOf(input), settlement);
    if (capability.pool === "run") return await this.#startRun(request, capability, settlement);
    if (capability.pool !== "inline") return await this.#startQueued(request, settlement);
    if (!this.#inline.enter(accountId, capability, input))
      return await this.#startQueued(request, moved(settlement));
    try {
      return await this.#startInline(request, { capability, input, settlement, looked });
    } finally {
      this.#inline.leave(accountId, capability, input);
    }
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
    if (ended) for (const end of await readEnds(db, [callId])) onCallEnd(end);
    if (typeof row?.run === "string") await runs.advance(row.run);
    return await this.#own(accountId, callId);
  }

  async #own(accountId: string, callId: string): Promise<CallView> {
    const call = await this.read(callId);
    if (call?.accountId !== accountId)
      throw new AppError("not_found", "There is no such call of this account.");
    return call;
  }

  async #webhookUrl({ caller, webhook = null }: CallRequest): Promise<string | undefined> {
    if (webhook === null) return undefined;
    const { db, outbound } = this.#options;
    return await acceptWebhook(db, outbound, caller.accountId, webhook);
  }

  /** Nothing of the capability runs before it is known that this key may pay for it. */
  async #startInline(
    request: CallRequest,
    run: {
      readonly capability: Capability;
      readonly input: PreparedInput;
      readonly settlement: Settlement;
      readonly looked: Authority | undefined;
    },
  ): Promise<Started> {
    const { settlement } = run;
    const { verdict, balance } = await this.#authorisations.hold(settlement, run.looked);
    if (verdict === "replayed" || verdict === "mismatch")
      throw new Error(`a look at ${settlement.id} missed its key`);
    if (verdict !== "payable") throw this.#refusal(verdict, settlement, balance);
    let settled: Verdict | undefined;
    try {
      const started = performance.now();
      const span = beginSpan("run", { under: settlement.trace_context, about: aboutCall(settlement) });
      const outcome = await inSpan(span, () =>
        this.#inline.run({
          callId: settlement.id,
          accountId: settlement.account_id,
          capability: run.capability,
          input: run.input,
        }),
      );
      const durationMs = Math.round(performance.now() - started);
      const columns = await this.#options.outputs.columns(outcome);
      settled = await this.#settle({ ...settlement, input: null, started_ms_ago: durationMs, ...columns });
      if (settled.verdict === "replayed") return await this.#replay(request, settled.callId);
      this.#checkAccepted(settled, settlement);
      return { call: inlineView(settlement, outcome, settled, durationMs), replayed: false };
    } finally {
      this.#authorisations.settled(settlement, settled);
    }
  }

  async #startState(
    request: CallRequest,
    capability: Capability,
    input: unknown,
    settlement: Settlement,
  ): Promise<Started> {
    const { settled, durationMs } = await this.#state.settle({ capability, input, settlement });
    if (settled.refusal !== null) throw settled.refusal;
    const { verdict, outcome } = settled;
    if (verdict.verdict === "replayed") return await this.#replay(request, verdict.callId);
    this.#checkAccepted(verdict, settlement);
    this.#authorisations.note(settlement, verdict);
    if (outcome === null) return { ...(await this.#replay(request, verdict.callId)), replayed: false };
    this.#options.onCallEnd(endOf({ ...settlement, started_ms_ago: durationMs }, outcome.state));
    return { call: inlineView(settlement, outcome, verdict, durationMs), replayed: false };
  }

  async #startRun(
    request: CallRequest,
    capability: Capability,
    settlement: PoolSettlement,
  ): Promise<Started> {
    const { version } = await this.#options.runs.rulesOf(capability);
    return await this.#startQueued(request, { ...settlement, state: "waiting", run_rules: version });
  }

  async #startQueued(request: CallRequest, settlement: PoolSettlement): Promise<Started> {
    const watch = this.waiters.watch(settlement.id);
    try {
      const verdict = await this.#settle(settlement);
      if (verdict.verdict === "replayed") return await this.#replay(request, verdict.callId);
      this.#checkAccepted(verdict, settlement);
      this.#authorisations.note(settlement, verdict);
      this.#options.failPoint("between commit and dispatch");
      this.#announce(settlement);
      if (request.waitMs > 0) await watch.ended(request.waitMs, request.giveUp);
      return { call: await this.#readSettled(settlement.id), replayed: false };
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

  async #replay(request: CallRequest, callId: string): Promise<Started> {
    const { caller, waitMs, giveUp } = request;
    try {
      return { call: await this.poll(caller.accountId, callId, waitMs, giveUp), replayed: true };
    } catch (error) {
      throw settledFault(error, callId, UNREADABLE);
    }
  }

  async #readSettled(callId: string): Promise<CallView> {
    try {
      const call = await this.read(callId);
      if (call === undefined) throw new Error(`the settled call ${callId} is not there`);
      return call;
    } catch (error) {
      throw settledFault(error, callId, UNREADABLE);
    }
  }

  #checkAccepted({ verdict, balance }: Verdict, settlement: Settlement): void {
    if (verdict === "accepted") return;
    if (verdict === "replayed" || verdict === "again") throw new Error(`verdict ${verdict} is no refusal`);
    throw this.#refusal(verdict, settlement, balance);
  }

  #refusal(verdict: RefusalVerdict, wish: Wish, balance: number | null = null): AppError {
    const { buyUrl, maxQueuedPerAccount: maxQueued } = this.#options;
    return refusalOf(verdict, { ...wish, balance, buyUrl, maxQueued });
  }
}

const UNREADABLE = "What became of this call cannot be read";

/** The row of a call as far as it does not depend on the input. */
function settlementOf(
  { caller, surface, idempotencyKey, requestId, traceparent }: CallRequest,
  capability: Capability,
  price: Price,
  bodySha256: string | null,
): Omit<PoolSettlement, "input" | "input_sha256"> {
  return {
    id: newId("call"),
    account_id: caller.accountId,
    key_id: caller.keyId,
    slug: capability.slug,
    version: capability.version,
    pool: capability.pool,
    priority: 0,
    price: price.amount,
    currency: price.currency,
    state: "queued",
    max_attempts: LIMITS.attempts,
    timeout_ms: capability.timeoutMs,
    deadline_ms: capability.deadlineMs,
    idempotency_key: idempotencyKey,
    request_id: requestId ?? null,
    trace_context: traceparent ?? null,
    request_sha256: bodySha256 === null ? null : sha256Hex(`${surface}\n${capability.slug}\n${bodySha256}`),
  };
}

/** A call of the inline pool that is run in a thread of a worker: its time is the pool's. */
const moved = (settlement: PoolSettlement): PoolSettlement => ({
  ...settlement,
  pool: "text",
  timeout_ms: TEXT_TIMEOUT_MS,
});

/** What the settled row of an inline call says, without reading it back. */
function inlineView(
  settlement: Settlement,
  outcome: Outcome,
  verdict: Verdict,
  durationMs: number,
): CallView {
  const failed = outcome.state !== "succeeded";
  return {
    id: settlement.id,
    accountId: settlement.account_id,
    slug: settlement.slug,
    pool: settlement.pool,
    state: outcome.state,
    price: settlement.price,
    currency: settlement.currency,
    balance: verdict.balance ?? 0,
    output: failed ? null : outcome.output,
    outputRef: null,
    expired: false,
    errorCode: failed ? outcome.code : null,
    errorMessage: failed ? outcome.message : null,
    inputFault: failed && outcome.inputFault,
    events: 1,
    createdAt: verdict.createdAt,
    durationMs,
    queue: null,
    begunMsAgo: durationMs,
  };
}
