import type { ModelFault } from "./client.ts";

/** Requests for one question, the first among them. */
const MAX_REQUESTS = 5;
const BACKOFF_MS = { first: 250, max: 8_000 };
/** Whoever is told to come again later than this tells the caller so. */
const LONGEST_WAIT_MS = 60_000;
/** What must be left of the call's time for a further request to make sense. */
const WORTH_TRYING_MS = 500;

/**
 * How long to wait before request number `sent + 1`; null where there is to be none: it would fail like the last, or
 * the time is too short. The wait grows, with a random part of a half so that those who failed together come apart
 * again, and is never shorter than the server asks.
 */
export function waitBeforeRetry(fault: ModelFault, sent: number, leftMs: number): number | null {
  if ((fault.kind !== "busy" && fault.kind !== "failing") || sent >= MAX_REQUESTS) return null;
  const full = Math.min(BACKOFF_MS.first * 2 ** (sent - 1), BACKOFF_MS.max);
  const waitMs = Math.max(full / 2 + (full / 2) * Math.random(), fault.retryAfterMs ?? 0);
  return waitMs > LONGEST_WAIT_MS || waitMs + WORTH_TRYING_MS > leftMs ? null : waitMs;
}
