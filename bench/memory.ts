/**
 * What a platform holds of memory while nothing is asked of it, process by process, as `npm start` leaves it.
 *   node bench/memory.ts
 */
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { table } from "../src/cli/table.ts";
import { memoryBelow, type ProcessMemory, total } from "../test/support/memory.ts";
import { startProcesses } from "../test/support/process-platform.ts";

/** Connections and garbage of the start are gone by then. */
const SETTLE_DOWN_MS = 20_000;
const TARGET_MIB = { rss: 450, pss: 200 };
const BYTES_IN_MIB = 1_048_576;

const mib = (bytes: number): number => Math.round(bytes / BYTES_IN_MIB);

const platform = await startProcesses();
let processes: ProcessMemory[];
let names: Map<number, string>;
try {
  await sleep(SETTLE_DOWN_MS);
  processes = memoryBelow(platform.supervisor.pid ?? 0);
  names = new Map(platform.run().processes.map(({ pid, name }) => [pid, name]));
} finally {
  await platform.stop();
  await platform.remove();
}

const nameOf = ({ pid, command }: ProcessMemory): string =>
  names.get(pid) ?? (pid === platform.supervisor.pid ? "supervisor" : basename(command.split(" ")[0] ?? ""));
const { rss, pss } = total(processes);
console.log(
  table(
    ["pid", "process", "RSS MiB", "PSS MiB"],
    [
      ...processes.map((process) => [process.pid, nameOf(process), mib(process.rss), mib(process.pss)]),
      [null, "together", mib(rss), mib(pss)],
    ],
  ),
);
const met = mib(rss) <= TARGET_MIB.rss && mib(pss) <= TARGET_MIB.pss;
console.log(
  `\n${met ? "target met" : "TARGET NOT MET"}: ${TARGET_MIB.rss} MiB, ${TARGET_MIB.pss} MiB with shared pages counted once`,
);
