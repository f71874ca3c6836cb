import { defineHandler } from "../../../../src/core/catalog/define.ts";
import testCpu from "./index.ts";

const CHUNK = 1_000_000;
const held: unknown[] = [];

export default defineHandler(testCpu, ({ mode, text }) => {
  for (;;) {
    if (mode === "echo") return { text };
    if (mode === "repeat") throw new Error(`It was told: ${text}`);
    if (mode === "exit") process.exit(1);
    if (mode === "heap") held.push(Array.from<number>({ length: CHUNK }).fill(held.length));
    if (mode === "buffers") held.push(new Uint8Array(CHUNK).fill(1));
  }
});
