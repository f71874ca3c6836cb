import { setTimeout as sleep } from "node:timers/promises";
import { defineHandler, InputFault } from "../../../../src/core/catalog/define.ts";
import { newId } from "../../../../src/core/ids.ts";
import testNote from "./index.ts";

const FILLING_CHARS = 100_000;

export default defineHandler(testNote, async ({ text, ms, mode, before }, { signal, effect }) => {
  await sleep(ms, undefined, { signal });
  if (mode === "throw") throw new Error("it was told to throw");
  if (mode === "fault") throw new InputFault("told_to_fail", "It was told to fail.");
  effect({ kind: "memory_store", data: { id: newId("mem"), character: "", content: text } });
  return { text, before, ...(mode === "large" ? { filling: "x".repeat(FILLING_CHARS) } : {}) };
});
