import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Run } from "../../src/platform/embedded/run-file.ts";
import { freePort } from "./global-setup.ts";
import { until } from "./until.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The whole platform as its user starts it: a supervisor and its processes. */
export type ProcessPlatform = {
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly supervisor: ChildProcess;
  stdout(): string;
  stderr(): string;
  run(): Run;
  pidOf(name: string): number;
  /** Sends SIGTERM and gives the exit code. */
  stop(): Promise<number | null>;
  remove(): Promise<void>;
};

export async function startProcesses(
  settings: Readonly<Record<string, string>> = {},
): Promise<ProcessPlatform> {
  const dataDir = settings["DATA_DIR"] ?? (await mkdtemp(join(tmpdir(), "meshforge-up-")));
  const env = {
    ...ownEnvironment(),
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    TOOL_API_PORT: String(await freePort()),
    OPS_PORT: String(await freePort()),
    CAPABILITIES_DIR: join(ROOT, "test/support/capabilities"),
    ACCOUNTS_PER_HOUR: "1000000",
    CALL_WAIT_MS: "120000",
    LOG_LEVEL: "fatal",
    ...settings,
  };
  const { child: supervisor, output } = meshforge(["up"], env);
  const run = (): Run => JSON.parse(readFileSync(join(dataDir, "run.json"), "utf8")) as Run;
  const exited = new Promise<number | null>((resolve) => supervisor.once("exit", resolve));
  const stop = async (): Promise<number | null> => {
    supervisor.kill("SIGTERM");
    return await exited;
  };
  await until(() => output.stdout.includes("ready") || supervisor.exitCode !== null);
  if (supervisor.exitCode !== null) throw new Error(`the platform did not start:\n${output.stderr}`);
  return {
    dataDir,
    env,
    supervisor,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    run,
    pidOf: (name) => {
      const found = run().processes.find((process) => process.name === name);
      if (found === undefined) throw new Error(`${name} does not run`);
      return found.pid;
    },
    stop,
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}

/** What a user's shell would hand on; the test runner has set further variables, `BASE_URL` among them. */
const ownEnvironment = () => ({
  PATH: process.env["PATH"],
  HOME: process.env["HOME"],
  TMPDIR: process.env["TMPDIR"],
});

/** Runs the command line; `output` grows as it speaks. */
export function meshforge(args: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const child = spawn(process.execPath, [join(ROOT, "src/meshforge.js"), ...args], {
    env: { ...env },
    cwd: ROOT,
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output.stderr += chunk.toString()));
  return { child, output };
}
