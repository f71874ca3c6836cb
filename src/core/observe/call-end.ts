/** The end of a call, as logs and counters tell of it: nothing that a caller sent, and nothing that it was given. */
export type CallEnd = {
  readonly callId: string;
  /** The id of the request that made it; null where none did. */
  readonly requestId: string | null;
  readonly accountId: string;
  readonly slug: string;
  readonly pool: string;
  readonly outcome: "succeeded" | "failed" | "cancelled" | "expired";
  /** From its making to the start of its run; null where it never ran, or waited for nobody. */
  readonly waitMs: number | null;
  /** How long it ran; null where it never did. */
  readonly runMs: number | null;
};

/** Is told once of each call that ended, by the process that ended it, after the commit. Never throws. */
export type ObserveEnd = (end: CallEnd) => void;
