import { setTimeout as sleep } from "node:timers/promises";
import { AppError, defineHandler, InputFault } from "../../../../src/core/catalog/define.ts";
import testWork from "./index.ts";

const LARGE_CHARS = 200_000;
const STEPS = 5;
const STEP_MS = 150;

/** How often each call was run in this process, and which of them were told to stop. */
export const runs = new Map<string, number>();
export const aborted = new Set<string>();

export default defineHandler(testWork, async ({ mode, ms, text }, { callId, signal, progress }) => {
  runs.set(callId, (runs.get(callId) ?? 0) + 1);
  signal.addEventListener("abort", () => aborted.add(callId), { once: true });
  switch (mode) {
    case "sleep":
      await sleep(ms, undefined, { signal });
      return { text };
    case "stubborn":
      await sleep(ms);
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
    default:
      return { text };
  }
});
