// A child of the supervisor's tests. What it does is its first argument:
//   serve        says that it is ready, and stays
//   slow         the same, and ends only 300 ms after it was asked to
//   stubborn     the same, and never ends when it is asked to
//   fail         ends at once with a reason
//   fail-once F  ends at once if the file F does not exist yet, and makes it
import { existsSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { endWithParent, tellReady } from "../../../src/platform/supervision/parent.ts";

const [, , mode, file] = process.argv;
const DRAIN_MS = 300;

if (mode === "fail" || (mode === "fail-once" && !existsSync(file as string))) {
  if (file !== undefined) writeFileSync(file, "");
  process.stderr.write("There is no port left.\n");
  process.exit(3);
}

async function stop(): Promise<void> {
  if (mode === "slow") await sleep(DRAIN_MS);
}

endWithParent(stop);
process.on("SIGTERM", () => {
  if (mode !== "stubborn") void stop().then(() => process.exit());
});
setInterval(() => {}, 1_000);
tellReady({ args: process.argv.slice(2), flavour: process.env["FLAVOUR"] });
