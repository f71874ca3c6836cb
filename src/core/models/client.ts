import type { ChatReply, ChatRequest, ImageReply, ImageRequest } from "./models.ts";

/** How one request to a model server failed. */
export type ModelFaultKind =
  /** The server takes this request for wrong: it would again, and takes others. */
  | "refused"
  /** It takes no request of ours: the key, the path or the model's name is wrong, or the quota is used up. */
  | "unusable"
  /** Too much for now. */
  | "busy"
  /** It was not reached, broke off, or has an error of its own. */
  | "failing"
  /** It did not answer in time. */
  | "slow"
  /** It answered with what is no answer. */
  | "garbled"
  /** It has failed again and again, and is not asked for a while. */
  | "open"
  /** We gave the request up. */
  | "aborted";

/** Why a request failed. Its words come from here alone: what a server says may hold a key or a prompt. */
export class ModelFault extends Error {
  readonly kind: ModelFaultKind;
  /** What the server said over HTTP, where it said something. */
  readonly status: number | null;
  /** When to come again, where the server says so. */
  readonly retryAfterMs: number | null;

  constructor(
    kind: ModelFaultKind,
    { status = null, retryAfterMs = null }: { status?: number | null; retryAfterMs?: number | null } = {},
  ) {
    super(status === null ? kind : `${kind} (${status})`);
    this.name = "ModelFault";
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** One model of one server. Each call is one request, without a second try; both throw `ModelFault`. */
export type ModelClient = {
  chat(request: Omit<ChatRequest, "tier">, timeoutMs: number): Promise<ChatReply>;
  image(request: ImageRequest, timeoutMs: number): Promise<ImageReply>;
};
