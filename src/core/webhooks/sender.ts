import { setTimeout as sleep } from "node:timers/promises";
import { readCalls } from "../calls/call.ts";
import type { OutputStore } from "../calls/outputs.ts";
import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import type { KeyRing } from "../secrets/key-ring.ts";
import { pauseAfter } from "./backoff.ts";
import { type ClaimedDelivery, claimDeliveries, deliveryId, reportAttempt } from "./deliveries.ts";
import { webhookMessage } from "./message.ts";
import { openSecrets, signedHeaders } from "./secrets.ts";

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
  readonly keyRing: KeyRing;
  readonly post: PostWebhook;
  /** A receiver did not answer, or is where nothing is sent to: its own affair. */
  readonly onNoAnswer: (error: unknown, callId: string) => void;
  readonly onError: (error: unknown, callId: string) => void;
};

/**
 * Sends the deliveries that are due. Any number of processes may: each delivery is one's until its lease runs out, so
 * that what a killed sender held is sent again. A receiver may see a message twice, and knows it by its id.
 */
export class WebhookSender {
  readonly #options: SenderOptions;
  readonly #sending = new Map<string, { readonly accountId: string; readonly done: Promise<void> }>();
  readonly #giveUp = new AbortController();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /**
   * Begins to send what is due, in slots, and goes on as they get free. Resolves when nothing is due that may have one,
   * or after a turn; some may still be under way then.
   */
  async sendDue(signal: AbortSignal): Promise<void> {
    const giveWayAt = performance.now() + LIMITS.jobTurnMs;
    while (!signal.aborted && performance.now() < giveWayAt) {
      if (this.#sending.size < LIMITS.webhookSlots && (await this.#takeDue()) === 0) return;
      await this.#oneSent(signal);
    }
  }

  /** Lets what is under way end until `drainMs` is over; the rest is due again after its lease. */
  async stop(drainMs: number): Promise<void> {
    const ended = Promise.all([...this.#sending.values()].map(({ done }) => done));
    const waiting = new AbortController();
    await Promise.race([ended, sleep(drainMs, undefined, { signal: waiting.signal }).catch(() => undefined)]);
    waiting.abort();
    this.#giveUp.abort();
    await ended;
  }

  /** Resolves when one of those under way has ended, or when it is time to look again all the same. */
  async #oneSent(signal: AbortSignal): Promise<void> {
    const waiting = new AbortController();
    const either = AbortSignal.any([signal, waiting.signal]);
    const pause = sleep(LIMITS.webhookLookMs, undefined, { signal: either }).catch(() => undefined);
    await Promise.race([pause, ...[...this.#sending.values()].map(({ done }) => done)]);
    waiting.abort();
  }

  /** Starts to send what is due, as far as there are slots, and says how many that were. */
  async #takeDue(): Promise<number> {
    const held = Map.groupBy(this.#sending.values(), ({ accountId }) => accountId);
    const claimed = await claimDeliveries(this.#options.db, {
      count: LIMITS.webhookSlots - this.#sending.size,
      perAccount: LIMITS.webhookSlotsPerAccount,
      held: new Map([...held].map(([accountId, deliveries]) => [accountId, deliveries.length])),
      leaseMs: LIMITS.webhookLeaseMs,
    });
    for (const delivery of claimed) {
      const done = this.#send(delivery).finally(() => this.#sending.delete(delivery.callId));
      this.#sending.set(delivery.callId, { accountId: delivery.accountId, done });
    }
    return claimed.length;
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

  /** The status of the answer, or null where there was none. */
  async #attempt({ callId, accountId, url, sealedSecrets }: ClaimedDelivery): Promise<number | null> {
    const { db, outputs, keyRing, post, onNoAnswer } = this.#options;
    const [call] = await readCalls(db, [callId]);
    if (call === undefined) throw new Error(`the call ${callId} of a delivery is not there`);
    const body = webhookMessage(call, await outputs.of(call));
    const secrets = openSecrets(keyRing, accountId, sealedSecrets);
    const headers = signedHeaders({ id: deliveryId(callId), body, secrets, at: new Date() });
    const signal = AbortSignal.any([AbortSignal.timeout(LIMITS.webhookTimeoutMs), this.#giveUp.signal]);
    try {
      return await post({ url, headers, body, signal });
    } catch (error) {
      onNoAnswer(error, callId);
      return null;
    }
  }
}
