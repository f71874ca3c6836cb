import { setTimeout as sleep } from "node:timers/promises";
import { readCalls } from "../calls/call.ts";
import type { CallLinks } from "../calls/envelope.ts";
import type { OutputStore } from "../calls/outputs.ts";
import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import { pauseAfter } from "./backoff.ts";
import { type ClaimedDelivery, claimDeliveries, deliveryId, reportAttempt } from "./deliveries.ts";
import { webhookMessage } from "./message.ts";
import { signedHeaders } from "./secrets.ts";

/** Posts a message, and gives the status of the answer. Throws where there was none, or where nothing may be sent to. */
export type PostWebhook = (message: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}) => Promise<number>;

export type SenderOptions = {
  readonly db: Db;
  readonly outputs: OutputStore;
  readonly linksOf: (callId: string) => CallLinks;
  readonly post: PostWebhook;
  readonly onError: (error: unknown, callId: string | null) => void;
};

/**
 * Sends the deliveries that are due. Any number of processes may: each delivery is one's until its lease runs out, so
 * that what a killed sender held is sent again. A receiver may see a message twice, and knows it by its id.
 */
export class WebhookSender {
  readonly #options: SenderOptions;
  readonly #sending = new Map<string, { readonly accountId: string; readonly done: Promise<void> }>();
  readonly #giveUp = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setTimeout(() => this.#look(), LIMITS.webhookLookMs);
  }

  /** Takes no more, and lets what is under way end until `drainMs` is over; the rest is due again after its lease. */
  async stop(drainMs: number): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
    const ended = Promise.all([...this.#sending.values()].map(({ done }) => done));
    const waiting = new AbortController();
    await Promise.race([ended, sleep(drainMs, undefined, { signal: waiting.signal }).catch(() => undefined)]);
    waiting.abort();
    this.#giveUp.abort();
    await ended;
  }

  /** Looks for what is due, again and again: at once while there is more, else after a pause. */
  #look(): void {
    this.#looking = this.#takeDue()
      .catch((error: unknown) => {
        this.#options.onError(error, null);
        return false;
      })
      .then((more) => {
        if (!this.#stopped) this.#timer = setTimeout(() => this.#look(), more ? 0 : LIMITS.webhookLookMs);
      });
  }

  /** Starts to send what is due, as far as there are slots. Whether there may be more. */
  async #takeDue(): Promise<boolean> {
    const free = LIMITS.webhookSlots - this.#sending.size;
    if (free === 0) {
      await Promise.race([
        ...[...this.#sending.values()].map(({ done }) => done),
        sleep(LIMITS.webhookLookMs),
      ]);
      return true;
    }
    const held = Map.groupBy(this.#sending.values(), ({ accountId }) => accountId);
    const claimed = await claimDeliveries(this.#options.db, {
      count: free,
      perAccount: LIMITS.webhookSlotsPerAccount,
      held: new Map([...held].map(([accountId, deliveries]) => [accountId, deliveries.length])),
      leaseMs: LIMITS.webhookLeaseMs,
    });
    for (const delivery of claimed) {
      const done = this.#send(delivery).finally(() => this.#sending.delete(delivery.callId));
      this.#sending.set(delivery.callId, { accountId: delivery.accountId, done });
    }
    return claimed.length > 0;
  }

  /** Makes one attempt and reports it. Never throws. */
  async #send(delivery: ClaimedDelivery): Promise<void> {
    const { db, onError } = this.#options;
    try {
      const status = await this.#attempt(delivery).catch((error: unknown) => {
        onError(error, delivery.callId);
        return null;
      });
      if (status === null && this.#giveUp.signal.aborted) return;
      const delivered = status !== null && status >= 200 && status < 300;
      const pauseMs = delivered ? null : pauseAfter(delivery.attempts, delivery.ageMs, Math.random());
      await reportAttempt(db, delivery, { delivered, status, pauseMs });
    } catch (error) {
      // The lease runs out, and it is sent again.
      onError(error, delivery.callId);
    }
  }

  async #attempt({ callId, url, secrets }: ClaimedDelivery): Promise<number> {
    const { db, outputs, linksOf, post } = this.#options;
    const [call] = await readCalls(db, [callId]);
    if (call === undefined) throw new Error(`the call ${callId} of a delivery is not there`);
    const body = webhookMessage(call, linksOf(callId), await outputs.of(call));
    const headers = signedHeaders({ id: deliveryId(callId), body, secrets, at: new Date() });
    const signal = AbortSignal.any([AbortSignal.timeout(LIMITS.webhookTimeoutMs), this.#giveUp.signal]);
    return await post({ url, headers, body, signal });
  }
}
