import { setTimeout as sleep } from "node:timers/promises";
import { defineHandler } from "../../../../src/core/catalog/define.ts";
import testLong from "./index.ts";

export default defineHandler(testLong, async ({ ms, text }, { signal }) => {
  await sleep(ms, undefined, { signal });
  return { text };
});
