import { setTimeout as sleep } from "node:timers/promises";
import { defineHandler } from "../../../../src/core/catalog/define.ts";
import testBrief from "./index.ts";

export default defineHandler(testBrief, async ({ ms, stubborn }, { signal }) => {
  await sleep(ms, undefined, stubborn ? {} : { signal });
  return { ms };
});
