import { batch } from "../batch.ts";
import { canonicalJson, sha256Hex } from "../canonical.ts";
import { type Availability, quarantined } from "../catalog/availability.ts";
import type { Capability } from "../catalog/capability.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Handler, HandlerServices } from "../catalog/define.ts";
import { loadHandler } from "../catalog/folders.ts";
import type { Surface } from "../catalog/offer.ts";
import type { Found } from "../catalog/snapshot.ts";
import type { TransactionalDb } from "../db.ts";
import { AppError } from "../errors.ts";
import type { FailPoint } from "../fail-point.ts";
import { newId } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { type Price, showAmount } from "../money.ts";
import type { OutboundRule } from "../outbound/targets.ts";
import { acceptWebhook } from "../webhooks/accept.ts";
import { type CallView, isFinal, readCalls } from "./call.ts";
import type { Dispatcher, WakeBus } from "./dispatch.ts";
import { execute, failure, type Outcome, timeLeft } from "./execute.ts";
import type { OutputStore } from "./outputs.ts";
import { createSettle, type Settlement, type Verdict } from "./settle.ts";
import { StateCalls } from "./state-call.ts";
import { Waiters } from "./waiters.ts";

/** Who pays. */
export type Caller = { readonly accountId: string; readonly keyId: string };

export type CallRequest = {
  readonly caller: Caller;
  readonly surface: Surface;
  /** What the capability is called there. */
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly waitMs: number;
  readonly idempotencyKey: string | null;
  /** The most that the caller will pay, in the offer's units. */
  readonly maxPrice: number | null;
  /** Where the caller wants the end of the call posted. */
  readonly webhook?: string | null;
};

export type CallsOptions = {
  readonly db: TransactionalDb;
  readonly catalog: Catalog;
  readonly availability: Availability;
  readonly dispatcher: Dispatcher;
  readonly bus: WakeBus;
  readonly outputs: OutputStore;
  readonly services: HandlerServices;
  readonly failPoint: FailPoint;
  readonly maxQueuedPerAccount: number;
  readonly outbound: OutboundRule;
  readonly buyUrl: string;
  readonly onError: (error: unknown, context: Readonly<Record<string, unknown>>) => void;
};

/** Settles calls, hands them to their pools, and waits for their ends. The same for every surface. */
export class Calls {
  readonly #options: CallsOptions;
  readonly #settle: (item: Settlement) => Promise<Verdict>;
  readonly #handlers = new Map<string, Promise<Handler>>();
  readonly #state: StateCalls;
  readonly waiters: Waiters;
  /** The call of this id, or undefined. */
  readonly read: (id: string) => Promise<CallView | undefined>;

  constructor(options: CallsOptions) {
    this.#options = options;
    this.#settle = createSettle(options.db, options.maxQueuedPerAccount);
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

  /** What can be told before the body of a call is read. Throws `unknown_capability`, `quarantined`, `model_unavailable`. */
  async checkCallable(request: Pick<CallRequest, "surface" | "name">): Promise<void> {
    await this.#callable(request);
  }

  /**
   * Makes a call: checks it, settles it, and waits for its end up to `waitMs`. What is refused before settling is
   * thrown (`AppError`, `Refusal`) and costs nothing; whatever happens after it is in the returned call.
   */
  async start(request: CallRequest): Promise<{ call: CallView; replayed: boolean }> {
    const { capability, offer } = await this.#callable(request);
    const { price } = offer;
    const input = capability.contract.parse(request.body);
    const webhookUrl = await this.#webhookUrl(request);
    if (request.maxPrice !== null && price.amount > request.maxPrice)
      throw priceAboveMax(price, request.maxPrice);
    const settlement = {
      ...this.#settlement(request, capability, price, canonicalJson(input)),
      webhook_url: webhookUrl,
    };
    if (capability.pool === "state") return await this.#startState(request, capability, input, settlement);
    return capability.pool === "inline"
      ? await this.#startInline(request, capability, input, settlement)
      : await this.#startQueued(request, capability, settlement);
  }

  /** A call of this account, waiting for its end up to `waitMs`. Throws `not_found` for every other call. */
  async poll(accountId: string, callId: string, waitMs: number): Promise<CallView> {
    const watch = this.waiters.watch(callId);
    try {
      const call = await this.#own(accountId, callId);
      if (isFinal(call.state) || waitMs === 0) return call;
      await watch.ended(waitMs);
      return await this.#own(accountId, callId);
    } finally {
      watch.stop();
    }
  }

  /** Takes a call back. Throws `not_found`, or `already_ended`. */
  async cancel(accountId: string, callId: string): Promise<CallView> {
    const { db, bus } = this.#options;
    const [row] = await db.query<{ verdict: string }>("select verdict from cancel_call($1, $2)", [
      callId,
      accountId,
    ]);
    if (row?.verdict === "unknown") throw new AppError("not_found", "There is no such call of this account.");
    if (row?.verdict === "ended") throw new AppError("already_ended", "This call has already ended.");
    bus.publish([{ kind: row?.verdict === "cancelled" ? "ended" : "cancel", callId }]);
    return await this.#own(accountId, callId);
  }

  async #own(accountId: string, callId: string): Promise<CallView> {
    const call = await this.read(callId);
    if (call?.accountId !== accountId)
      throw new AppError("not_found", "There is no such call of this account.");
    return call;
  }

  async #callable({ surface, name }: Pick<CallRequest, "surface" | "name">): Promise<Found> {
    const found = this.#options.catalog.find(surface, name);
    if (found === undefined)
      throw new AppError("unknown_capability", `There is no capability ${JSON.stringify(name)}.`);
    await this.#options.availability.check(found.capability);
    return found;
  }

  async #webhookUrl({ caller, webhook = null }: CallRequest): Promise<string | undefined> {
    if (webhook === null) return undefined;
    const { db, outbound } = this.#options;
    return await acceptWebhook(db, outbound, caller.accountId, webhook);
  }

  #settlement(request: CallRequest, capability: Capability, price: Price, input: string): Settlement {
    return {
      id: newId("call"),
      account_id: request.caller.accountId,
      key_id: request.caller.keyId,
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
      input,
      input_sha256: sha256Hex(input),
      idempotency_key: request.idempotencyKey,
      request_sha256:
        request.idempotencyKey === null
          ? null
          : sha256Hex(`${request.surface}\n${capability.slug}\n${canonicalJson(request.body)}`),
    };
  }

  async #startInline(
    request: CallRequest,
    capability: Capability,
    input: unknown,
    settlement: Settlement,
  ): Promise<{ call: CallView; replayed: boolean }> {
    const started = performance.now();
    const outcome = await this.#runInline(capability, input, settlement);
    const durationMs = Math.round(performance.now() - started);
    const verdict = await this.#settle({
      ...settlement,
      input: null,
      started_ms_ago: durationMs,
      ...(await this.#options.outputs.columns(outcome)),
    });
    if (verdict.verdict === "replayed") return await this.#replay(request, verdict.callId);
    if (verdict.verdict !== "accepted") throw this.#refusal(verdict, settlement);
    return { call: inlineView(settlement, outcome, verdict, durationMs), replayed: false };
  }

  async #startState(
    request: CallRequest,
    capability: Capability,
    input: unknown,
    settlement: Settlement,
  ): Promise<{ call: CallView; replayed: boolean }> {
    const { settled, durationMs } = await this.#state.settle({ capability, input, settlement });
    if (settled.refusal !== null) throw settled.refusal;
    const { verdict, outcome } = settled;
    if (verdict.verdict === "replayed") return await this.#replay(request, verdict.callId);
    if (verdict.verdict !== "accepted") throw this.#refusal(verdict, settlement);
    if (outcome === null) return { ...(await this.#replay(request, verdict.callId)), replayed: false };
    return { call: inlineView(settlement, outcome, verdict, durationMs), replayed: false };
  }

  async #runInline(
    capability: Capability,
    input: unknown,
    { id, account_id, timeout_ms }: Settlement,
  ): Promise<Outcome> {
    const { services, onError } = this.#options;
    let handler = this.#handlers.get(capability.slug);
    if (handler === undefined)
      this.#handlers.set(capability.slug, (handler = loadHandler(capability.folder)));
    // `AbortSignal.timeout` would fire long after the run, each time with an exception of its own.
    const stop = new AbortController();
    const late = Promise.withResolvers<Outcome>();
    const timer = setTimeout(() => {
      late.resolve(
        failure("deadline_exceeded", "The call did not end within the time that its capability may take."),
      );
      stop.abort();
    }, timeout_ms);
    const context = {
      ...services,
      callId: id,
      accountId: account_id,
      signal: stop.signal,
      leftMs: timeLeft(timeout_ms),
      progress: () => undefined,
    };
    try {
      const outcome = execute(capability, await handler, input, context, (error) =>
        onError(error, { slug: capability.slug, callId: id }),
      );
      return await Promise.race([outcome, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #startQueued(
    request: CallRequest,
    capability: Capability,
    settlement: Settlement,
  ): Promise<{ call: CallView; replayed: boolean }> {
    const watch = this.waiters.watch(settlement.id);
    try {
      const verdict = await this.#settle(settlement);
      if (verdict.verdict === "replayed") return await this.#replay(request, verdict.callId);
      if (verdict.verdict !== "accepted") throw this.#refusal(verdict, settlement);
      this.#options.failPoint("between commit and dispatch");
      this.#announce(capability, settlement.id);
      if (request.waitMs > 0) await watch.ended(request.waitMs);
      const call = await this.read(settlement.id);
      if (call === undefined) throw new Error(`the settled call ${settlement.id} is not there`);
      return { call, replayed: false };
    } finally {
      watch.stop();
    }
  }

  /** A hint that is not sent costs time only: the sweeper sends it again. */
  #announce(capability: Capability, callId: string): void {
    const { dispatcher, onError } = this.#options;
    dispatcher.announce(capability.pool, [callId]).catch((error: unknown) => onError(error, { callId }));
  }

  async #replay(request: CallRequest, callId: string): Promise<{ call: CallView; replayed: boolean }> {
    return { call: await this.poll(request.caller.accountId, callId, request.waitMs), replayed: true };
  }

  #refusal({ verdict, balance }: Verdict, { slug, price, currency }: Settlement): AppError {
    switch (verdict) {
      case "mismatch":
        return new AppError(
          "idempotency_mismatch",
          "This Idempotency-Key came with another body or capability before.",
        );
      case "quarantined":
        return quarantined(slug);
      case "spend_limit_reached":
        return new AppError("spend_limit_reached", "This call would exceed the spend limit of its key.");
      case "insufficient_funds":
        return new AppError("insufficient_funds", "The account does not hold the price of this call.", {
          required: showAmount(price, currency),
          balance: showAmount(balance ?? 0, currency),
          currency,
          buy_url: this.#options.buyUrl,
        });
      case "queue_full":
        return new AppError(
          "queue_full",
          `This account has ${this.#options.maxQueuedPerAccount} calls waiting already. Try again when some have ended.`,
        );
      default:
        throw new Error(`verdict ${verdict} is no refusal`);
    }
  }
}

function priceAboveMax({ amount, currency }: Price, maxPrice: number): AppError {
  const price = showAmount(amount, currency);
  const max = showAmount(maxPrice, currency);
  return new AppError(
    "price_above_max",
    `This call costs ${price} ${currency}, more than Max-Price ${max}.`,
    {
      price,
      max_price: max,
      currency,
    },
  );
}

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
  };
}
