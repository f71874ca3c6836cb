import { LIMITS } from "../src/core/limits.ts";

/** As many may come at once: the steps of a short run follow one another in no time. */
const BURST = 5;

/** Lets progress through at most ten times a second, after a few at once; what comes sooner is dropped. */
export function throttled(
  progress: (data: string) => void,
): (data: Readonly<Record<string, unknown>>) => void {
  let left = BURST;
  let filledAt = performance.now();
  return (data) => {
    const now = performance.now();
    left = Math.min(BURST, left + (now - filledAt) / LIMITS.progressEveryMs);
    filledAt = now;
    if (left < 1) return;
    left--;
    progress(JSON.stringify(data));
  };
}
