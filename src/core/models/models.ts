/** The tiers of models that a handler may ask. */
export const TEXT_TIERS = ["small", "large"] as const;
export type TextTier = (typeof TEXT_TIERS)[number];
export const MODEL_TIERS = [...TEXT_TIERS, "image"] as const;
export type ModelTier = (typeof MODEL_TIERS)[number];

/** What a run has used of a model, in the model's own tokens. */
export type Tokens = { readonly prompt: number; readonly completion: number };

export type ChatMessage = { readonly role: "system" | "user" | "assistant"; readonly content: string };

export type ChatRequest = {
  readonly tier: TextTier;
  /** The name of the task, such as `task-analysis`: the name of the answer's schema on the wire. */
  readonly task: string;
  readonly messages: readonly ChatMessage[];
  /** The JSON Schema that the answer must match. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** What is left of the call's time, where there is a limit. */
  readonly leftMs?: () => number;
};

export type ChatReply = {
  /** Should be JSON, and may be anything. */
  readonly text: string;
  readonly model: string;
  readonly tokens: Tokens;
  /** Why it is no whole answer, where the server says so; a text that was cut off may look like one. */
  readonly fault?: "cut off" | "refused" | "empty";
};

export type ImageRequest = {
  readonly prompt: string;
  readonly signal: AbortSignal;
  /** What is left of the call's time, where there is a limit. */
  readonly leftMs?: () => number;
};

/** An image as the server gave it: any format and size, not looked at yet. */
export type ImageReply = { readonly bytes: Uint8Array; readonly model: string };

/**
 * The gateway to the model servers. Both throw `AppError`: `model_unavailable` where no server answers in time or one
 * refuses, `upstream_failed` for what is no answer at all. An aborted signal aborts the request upstream.
 */
export type ModelPort = {
  chat(request: ChatRequest): Promise<ChatReply>;
  image(request: ImageRequest): Promise<ImageReply>;
};
