// A child of the supervisor's tests. What it does is its first argument:
//   serve        says that it is ready, and stays
//   slow         the same, and ends only 300 ms after it was asked to
//   stubborn     the same, and never ends when it is asked to
//   by-word      the same, and leaves signals to its supervisor
//   never-ready  stays, and does not say that it is ready
//   fail         ends at once with a reason
//   tell         the same, and tells the supervisor
//   fail-once F  ends at once if the file F does not exist yet, and makes it
import { existsSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { tellFailed, tellReady, untilToldToStop } from "../../../src/platform/supervision/parent.ts";

const [, , mode, file] = process.argv;
const DRAIN_MS = 300;

if (mode === "tell") {
  await tellFailed("There is no port left.");
  process.exit(1);
}
if (mode === "fail" || (mode === "fail-once" && !existsSync(file as string))) {
  if (file !== undefined) writeFileSync(file, "");
  process.stderr.write("There is no port left.\n");
  process.exit(3);
}

function stop(): void {
  if (mode === "stubborn" && process.connected) return;
  void sleep(mode === "slow" ? DRAIN_MS : 0).then(() => process.exit());
}

untilToldToStop(stop);
process.on("SIGTERM", () => {
  if (mode !== "by-word") stop();
});
setInterval(() => {}, 1_000);
if (mode !== "never-ready") tellReady({ args: process.argv.slice(2), flavour: process.env["FLAVOUR"] });
