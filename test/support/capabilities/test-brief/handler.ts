import { setTimeout as sleep } from "node:timers/promises";
import { defineHandler } from "../../../../src/core/catalog/define.ts";
import testBrief from "./index.ts";

/** The calls whose handler came to its end in this process, also when nobody took what it gave. */
export const finished = new Set<string>();

export default defineHandler(testBrief, async ({ ms, stubborn, text }, { callId, signal }) => {
  await sleep(ms, undefined, stubborn ? {} : { signal });
  finished.add(callId);
  return text === undefined ? { ms } : { ms, text };
});
