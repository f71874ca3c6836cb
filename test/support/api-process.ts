import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { freePort } from "./global-setup.ts";
import { TEST_CAPABILITIES, type TestPlatform } from "./platform.ts";
import { until } from "./until.ts";

const ENTRY = join(import.meta.dirname, "../../src/cli/main.ts");

/** An API in a process of its own, on a test platform's database, that can be killed and started again. */
export type ApiProcess = {
  readonly port: number;
  readonly baseUrl: string;
  /** Resolves when it answers. */
  start(): Promise<void>;
  /** SIGKILL: nothing is closed, and nobody is told. */
  kill(): Promise<void>;
};

export async function apiProcess(
  { runtime: { config } }: TestPlatform,
  env: Readonly<Record<string, string>> = {},
): Promise<ApiProcess> {
  const [port, toolApi, ops] = [await freePort(), await freePort(), await freePort()];
  const baseUrl = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  return {
    port,
    baseUrl,
    start: async () => {
      child = spawn(process.execPath, [ENTRY, "api"], {
        env: {
          DATABASE_URL: config.databaseUrl ?? "",
          DATA_DIR: config.dataDir,
          CAPABILITIES_DIR: TEST_CAPABILITIES,
          PORT: String(port),
          TOOL_API_PORT: String(toolApi),
          OPS_PORT: String(ops),
          HOST: "127.0.0.1",
          LOG_LEVEL: "fatal",
          ...(config.redisUrl === null
            ? {}
            : { REDIS_URL: config.redisUrl, REDIS_PREFIX: config.redisPrefix }),
          ...env,
        },
        stdio: "inherit",
      });
      await until(async () => (await fetch(`${baseUrl}/healthz`).catch(() => null))?.ok === true);
    },
    kill: async () => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
