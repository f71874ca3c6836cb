import type { ModelTier } from "../../core/models/models.ts";

/** Where a tier's questions go. */
export type ModelServer = {
  /** Ends before `/chat/completions`. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
};

export type TierConfig = {
  /** Null where neither a server nor the offline one is known: every question is refused, or `up` brings the latter. */
  readonly server: ModelServer | null;
  /** Requests at once, of all processes together. */
  readonly concurrency: number;
  /** One request, from its sending to the whole answer. */
  readonly timeoutMs: number;
};

export type ModelsConfig = { readonly tiers: Readonly<Record<ModelTier, TierConfig>> };
