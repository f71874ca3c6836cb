import { setTimeout as sleep } from "node:timers/promises";
import { type ModelClient, ModelFault } from "./client.ts";
import type { ChatReply, ChatRequest, ImageReply, ImageRequest, ModelPort, ModelTier } from "./models.ts";
import { waitBeforeRetry } from "./retry.ts";
import { notConfigured, tell } from "./telling.ts";

/** A tier as the gateway serves it. */
export type GatewayTier = {
  /** Null where no server is configured. */
  readonly client: (() => Promise<ModelClient>) | null;
  /** One request, from its sending to the whole answer. */
  readonly timeoutMs: number;
};

export type GatewayOptions = { readonly tiers: Readonly<Record<ModelTier, GatewayTier>> };

/** Where a request says nothing of a deadline. */
const NO_DEADLINE = (): number => Number.POSITIVE_INFINITY;

/** Asks the model servers: again where that helps, and never past the call's deadline. */
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
    send: (client: ModelClient, timeoutMs: number) => Promise<T>,
  ): Promise<T> {
    const { client: connect, timeoutMs } = this.#options.tiers[tier];
    if (connect === null) throw notConfigured(tier);
    const client = await connect();
    for (let sent = 1; ; sent++) {
      try {
        return await send(client, Math.min(timeoutMs, leftMs()));
      } catch (error) {
        if (!(error instanceof ModelFault)) throw error;
        const waitMs = waitBeforeRetry(error, sent, leftMs());
        if (waitMs === null) throw tell(tier, error);
        await sleep(waitMs, undefined, { signal }).catch(() => {
          throw tell(tier, new ModelFault("aborted"));
        });
      }
    }
  }
}
