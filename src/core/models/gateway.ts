import { setTimeout as sleep } from "node:timers/promises";
import type { Circuits } from "./circuits.ts";
import { type ModelClient, ModelFault } from "./client.ts";
import type { ChatReply, ChatRequest, ImageReply, ImageRequest, ModelPort, ModelTier } from "./models.ts";
import { waitBeforeRetry } from "./retry.ts";
import type { ModelSlots } from "./slots.ts";
import { notConfigured, tell } from "./telling.ts";

/** A tier as the gateway serves it. */
export type GatewayTier = {
  /** Null where no server is configured. */
  readonly client: (() => Promise<ModelClient>) | null;
  /** One request, from its sending to the whole answer. */
  readonly timeoutMs: number;
};

export type GatewayOptions = {
  readonly tiers: Readonly<Record<ModelTier, GatewayTier>>;
  readonly slots: Pick<ModelSlots, "take">;
  readonly circuits: Pick<Circuits, "openMs" | "through">;
};

type Send<T> = (client: ModelClient, timeoutMs: number) => Promise<T>;
type Limits = { readonly signal: AbortSignal; readonly leftMs: () => number };

/** A request ends this long before its call would be stopped, so that the call can say why it failed. */
const TELLING_MS = 200;
/** Where a request says nothing of a deadline. */
const NO_DEADLINE = (): number => Number.POSITIVE_INFINITY;

/**
 * Asks the model servers: in turn, not while they are known to be dead, again where that helps, and never past the
 * call's deadline.
 */
export class ModelGateway implements ModelPort {
  readonly #options: GatewayOptions;

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  async chat({ tier, ...request }: ChatRequest): Promise<ChatReply> {
    return await this.#ask(tier, request, (client, timeoutMs) => client.chat(request, timeoutMs));
  }

  async image(request: ImageRequest): Promise<ImageReply> {
    return await this.#ask("image", request, (client, timeoutMs) => client.image(request, timeoutMs));
  }

  async #ask<T>(
    tier: ModelTier,
    { signal, leftMs = NO_DEADLINE }: Pick<ChatRequest, "signal" | "leftMs">,
    send: Send<T>,
  ): Promise<T> {
    const { client: connect } = this.#options.tiers[tier];
    if (connect === null) throw notConfigured(tier);
    const client = await connect();
    try {
      return await this.#inTurn(tier, client, { signal, leftMs }, send);
    } catch (error) {
      throw error instanceof ModelFault ? tell(tier, error) : error;
    }
  }

  /** Whoever waits for a retry keeps the turn: a server that has enough is not asked by others instead. */
  async #inTurn<T>(tier: ModelTier, client: ModelClient, limits: Limits, send: Send<T>): Promise<T> {
    const { slots, circuits } = this.#options;
    const openMs = await circuits.openMs(tier);
    if (openMs !== null) throw new ModelFault("open", { retryAfterMs: openMs });
    const endTurn = await slots.take(tier, limits.signal);
    try {
      return await this.#withRetries(tier, client, limits, send);
    } finally {
      endTurn();
    }
  }

  async #withRetries<T>(
    tier: ModelTier,
    client: ModelClient,
    { signal, leftMs }: Limits,
    send: Send<T>,
  ): Promise<T> {
    const usualMs = this.#options.tiers[tier].timeoutMs;
    for (let sent = 1; ; sent++) {
      const longestMs = Math.min(usualMs, leftMs() - TELLING_MS);
      if (longestMs <= 0) throw new ModelFault("slow");
      try {
        return await this.#options.circuits.through(
          { tier, longestMs, usualMs, again: sent > 1, signal },
          () => send(client, longestMs),
        );
      } catch (error) {
        const waitMs = error instanceof ModelFault ? waitBeforeRetry(error, sent, leftMs()) : null;
        if (waitMs === null) throw error;
        await sleep(waitMs, undefined, { signal }).catch(() => {
          throw new ModelFault("aborted");
        });
      }
    }
  }
}
