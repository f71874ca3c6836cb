import { setTimeout as sleep } from "node:timers/promises";
import { AppError, defineHandler, InputFault } from "../../../../src/core/catalog/define.ts";
import testWork from "./index.ts";

const LARGE_CHARS = 200_000;
const STEPS = 5;
const STEP_MS = 150;

/** How often each call was run in this process, and which of them were told to stop. */
export const runs = new Map<string, number>();
export const aborted = new Set<string>();
/** The calls whose stubborn handler came to its end, also when nobody took what it gave. */
export const finished = new Set<string>();

const held = new Map<string, PromiseWithResolvers<void>>();

function hold(callId: string): PromiseWithResolvers<void> {
  const found = held.get(callId) ?? Promise.withResolvers<void>();
  held.set(callId, found);
  return found;
}

/** Lets a call of this process end that was told to hold, whether it runs already or not. */
export function release(callId: string): void {
  hold(callId).resolve();
}

export default defineHandler(testWork, async ({ mode, ms, text }, { callId, signal, progress }) => {
  runs.set(callId, (runs.get(callId) ?? 0) + 1);
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => undefined);
  const onAbort = (): void => {
    aborted.add(callId);
    stopped.reject(signal.reason);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  switch (mode) {
    case "hold":
      await Promise.race([hold(callId).promise, stopped.promise]);
      return { text };
    case "stubborn":
      // With a time of its own where nobody of its process can release it.
      await (ms > 0 ? sleep(ms) : hold(callId).promise);
      finished.add(callId);
      return { text };
    case "sleep":
      await sleep(ms, undefined, { signal });
      return { text };
    case "throw":
      throw new Error("a secret of the handler");
    case "repeat":
      throw new Error(`It was told: ${text}`);
    case "fault":
      throw new InputFault("told_to_fail", "The input said so.");
    case "garbled-fault":
      throw new InputFault("told_to_fail", `A NUL \0 and half a pair \ud800.`);
    case "slow-upstream":
      throw new AppError("deadline_exceeded", "The upstream took too long.");
    case "wrong-output":
      return { text: 7 as unknown as string };
    case "large":
      return { text: "ü".repeat(LARGE_CHARS) };
    case "steps":
      for (let step = 1; step <= STEPS; step++) {
        progress({ step, of: STEPS });
        await sleep(STEP_MS, undefined, { signal });
      }
      return { text };
    case "step-and-hold":
      progress({ step: 1, of: STEPS });
      await Promise.race([hold(callId).promise, stopped.promise]);
      return { text };
    default:
      return { text };
  }
});
