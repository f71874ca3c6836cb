/**
 * Loaded into a process with `--import`: notes in the file LOOP_WATCH_FILE each pass of an API's event loop that took
 * long, as a line `<when it ended, in ms since 1970> <ms of CPU time>`. CPU time of the loop's own thread, and not time on a
 * clock, which on a busy machine says more about the others.
 */
import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const NOTED_FROM_MS = 5;
const EVERY_MS = 1;

const file = process.env["LOOP_WATCH_FILE"];
if (file !== undefined && isMainThread && process.argv.includes("api")) watch(file);

/** A timer that is always due fires once in each pass of the loop. */
function watch(path: string): void {
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    const cpuMs = (user + system) / 1000;
    if (cpuMs >= NOTED_FROM_MS) appendFileSync(path, `${Date.now()} ${cpuMs}\n`);
    before = process.threadCpuUsage();
  }, EVERY_MS).unref();
}
