import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { loadConfig } from "../../src/platform/config.ts";
import { STOP_REST_MS } from "../../src/platform/platform.ts";

const unit = readFileSync(join(import.meta.dirname, "../../deploy/meshforge.service"), "utf8");
const valueOf = (name: string): string => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";

it("gives a stop more time than it may take, and tells the supervisor alone", () => {
  expect(Number(valueOf("TimeoutStopSec")) * 1_000).toBeGreaterThan(loadConfig({}).drainMs + STOP_REST_MS);
  expect(valueOf("KillMode")).toBe("mixed");
  expect(valueOf("ExecStart")).toMatch(/ src\/meshforge\.js up$/);
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
it.skipIf(!hasSystemd)("is a unit that systemd finds nothing wrong with", async () => {
  const directory = await mkdtemp(join(tmpdir(), "meshforge-unit-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const path = join(directory, "meshforge.service");
  // Only the program has to be there.
  await writeFile(path, unit.replace("/usr/bin/node", process.execPath));
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", path], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
