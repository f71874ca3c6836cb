import { AppError, defineHandler, InputFault } from "../../../../src/core/catalog/define.ts";
import testInline from "./index.ts";

export default defineHandler(testInline, ({ mode, text }) => {
  if (mode === "throw") throw new Error("a secret of the handler");
  if (mode === "repeat") throw new Error(`It was told: ${text}`);
  if (mode === "fault") throw new InputFault("told_to_fail", "The input said so.");
  if (mode === "garbled-fault") throw new InputFault("told_to_fail", `A NUL \0 and half a pair \ud800.`);
  if (mode === "slow-upstream") throw new AppError("deadline_exceeded", "The upstream took too long.");
  if (mode === "hang") return new Promise<never>(() => undefined);
  return { text };
});
