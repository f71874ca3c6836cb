import { LIMITS } from "../src/core/limits.ts";

/** Lets progress through at most ten times a second; what comes sooner is dropped. */
export function throttled(
  progress: (data: string) => void,
): (data: Readonly<Record<string, unknown>>) => void {
  let lastAt = -Infinity;
  return (data) => {
    if (performance.now() - lastAt < LIMITS.progressEveryMs) return;
    lastAt = performance.now();
    progress(JSON.stringify(data));
  };
}
