import { setTimeout as sleep } from "node:timers/promises";
import { defineHandler, InputFault } from "../../../../src/core/catalog/define.ts";
import testWork from "./index.ts";

const LARGE_CHARS = 200_000;
const STEPS = 5;
const STEP_MS = 150;

export default defineHandler(testWork, async ({ mode, ms, text }, { signal, progress }) => {
  switch (mode) {
    case "sleep":
      await sleep(ms, undefined, { signal });
      return { text };
    case "stubborn":
      await sleep(ms);
      return { text };
    case "throw":
      throw new Error("a secret of the handler");
    case "fault":
      throw new InputFault("told_to_fail", "The input said so.");
    case "wrong-output":
      return { text: 7 as unknown as string };
    case "large":
      return { text: "x".repeat(LARGE_CHARS) };
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
