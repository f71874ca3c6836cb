// A supervisor that somebody kills: keeps one serving and one slow child and prints their process ids.
import { fileURLToPath } from "node:url";
import { supervise } from "../../../src/platform/supervision/supervisor.ts";

let pids: number[] = [];
await supervise({
  children: ["serve", "slow"].map((mode) => ({ name: mode, pools: [], args: [mode], env: {} })),
  entry: fileURLToPath(new URL("child-program.ts", import.meta.url)),
  drainMs: 1_000,
  onChange: (processes) => {
    pids = processes.map(({ pid }) => pid);
  },
  log: () => {},
});
process.stdout.write(`${JSON.stringify(pids)}\n`);
