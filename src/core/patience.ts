import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { AppError } from "./errors.ts";

const patience = new AsyncLocalStorage<number | undefined>();

/**
 * Does work that only reads, and that somebody waits for: from here on each statement of it may take `ms`, and may be
 * sent again when its connection broke. That holds for all that a GET does: whoever sends one may send it again
 * (RFC 9110, 9.2.2).
 */
export const withPatience = <T>(ms: number, work: () => T): T => patience.run(ms, work);

/** Does work that goes on for others, or for longer than who began it waits. */
export const withoutPatience = <T>(work: () => T): T => patience.run(undefined, work);

/** How long a read may take in milliseconds; undefined for what nobody waits for, and for writes. */
export const patienceMs = (): number | undefined => patience.getStore();

/** What a promise gives, or `AppError` `unavailable` when that takes longer than whoever waits for it may. */
export async function patiently<T>(promise: Promise<T>): Promise<T> {
  const ms = patienceMs();
  if (ms === undefined) return await promise;
  const over = new AbortController();
  try {
    return await Promise.race([promise, lateAfter(ms, over.signal)]);
  } finally {
    over.abort();
  }
}

async function lateAfter(ms: number, signal: AbortSignal): Promise<never> {
  // Who has stopped waiting for it wants to know nothing of it.
  await sleep(ms, undefined, { signal }).catch(() => new Promise<never>(() => undefined));
  // A process that was held up itself takes what has come before it judges.
  await setImmediate();
  throw new AppError("unavailable", `There was no answer from behind for ${ms / 1000} s. Try again.`);
}
