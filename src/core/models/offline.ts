import type { TextTier } from "./models.ts";

/** What the offline server knows of a request to one of its text models. */
export type OfflineRequest = {
  readonly data: Readonly<Record<string, unknown>>;
  /** The JSON Schema of the answer. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Which model was asked: `large` is expected to look at more and to go deeper. */
  readonly tier: TextTier;
};

/**
 * How the offline server answers a capability's question: by plain methods, from the data alone, always the same for
 * the same data. The answer is what a model would give, as a JSON value.
 */
export type OfflineMethod = (request: OfflineRequest) => unknown;

/** A PNG of what a prompt asks for, in pixels. */
export type OfflineDrawing = (
  prompt: string,
  size: { readonly width: number; readonly height: number },
) => Promise<Uint8Array>;

/** Declares the method; the default export of a capability's `offline.ts`. */
export const defineOffline = (method: OfflineMethod): OfflineMethod => method;
