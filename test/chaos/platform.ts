import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, createWriteStream, readFileSync, type WriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Run } from "../../src/platform/embedded/run-file.ts";
import { freePort } from "../support/global-setup.ts";

const ENTRY = join(import.meta.dirname, "../../src/meshforge.js");
const CAPABILITIES = join(import.meta.dirname, "../support/capabilities");
const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 40_000;
const DRAIN_MS = 2_000;
const OPEN_TO_ENTER = 0o755;
/** How often a process dies by itself at a fail point, for each call that passes it. */
const FAIL_POINT_CHANCE = 0.002;

/** A process that the chaos may hurt. */
export type Target = {
  readonly kind: "api" | "worker" | "postgres";
  readonly name: string;
  readonly pid: number;
};

/** A platform as its operator starts it, with a second API and a second worker beside it. */
export type ChaosPlatform = {
  readonly baseUrls: readonly [string, ...string[]];
  readonly dataDir: string;
  readonly logFile: string;
  /** All that runs at this moment. */
  targets(): readonly Target[];
  /** Processes that ended by SIGKILL, by our hand or at a fail point. */
  killedProcesses(): number;
  /** Runs one statement on the database as its owner; throws while the database is away. */
  readonly sql: <T extends object>(text: string, params?: readonly unknown[]) => Promise<T[]>;
  /** Runs the command line beside the platform. */
  command(...args: string[]): Promise<{ code: number | null; stdout: string }>;
  /** Stops all of it in order, and says with which exit code the platform ended. */
  stop(): Promise<number | null>;
  removeData(): Promise<void>;
};

/** Starts the platform on a data directory of its own and free ports. */
export async function startChaosPlatform(env: Readonly<Record<string, string>>): Promise<ChaosPlatform> {
  const dataDir = await mkdtemp(join(tmpdir(), "meshforge-chaos-"));
  // PostgreSQL may run as another user, who has to pass here.
  chmodSync(dataDir, OPEN_TO_ENTER);
  const logFile = `${dataDir}.log`;
  const log = createWriteStream(logFile, { flags: "a" });
  const common = { ...environment(dataDir), ...env };
  const up = start(["up"], { ...common, ...(await ports()) }, log, "pipe");
  await untilReady(up, logFile);
  const run = (): Run => JSON.parse(readFileSync(join(dataDir, "run.json"), "utf8")) as Run;
  const { baseUrl, databaseUrl } = run();

  const beside = { ...common, DATABASE_URL: databaseUrl };
  const sparePorts = await ports();
  const spares = [
    new Spare("api", ["api"], { ...beside, ...sparePorts }, log),
    new Spare("worker", ["worker", "brain,cam,system"], beside, log),
  ];
  return {
    baseUrls: [baseUrl, sparePorts.BASE_URL],
    dataDir,
    logFile,
    targets: () => [...run().processes.map(toTarget), ...spares.flatMap((spare) => spare.target())],
    killedProcesses: () =>
      spares.reduce((sum, { killed }) => sum + killed, 0) +
      (readFileSync(logFile, "utf8").match(/ended \(SIGKILL\)|The database ended/g) ?? []).length,
    sql: (text, params) => query(databaseUrl, text, params),
    command: async (...args) => {
      const child = start(args, beside, log, "pipe");
      let stdout = "";
      child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
      const [code] = (await once(child, "close")) as [number | null];
      return { code, stdout };
    },
    stop: async () => {
      await Promise.all(spares.map((spare) => spare.stop()));
      return await end(up);
    },
    removeData: async () => {
      await rm(dataDir, { recursive: true, force: true });
      await rm(logFile, { force: true });
    },
  };
}

/** A process beside the platform's own, which is started again at once whenever it ends. */
class Spare {
  readonly #kind: "api" | "worker";
  readonly #start: () => ChildProcess;
  #child: ChildProcess;
  #stopping = false;
  killed = 0;

  constructor(
    kind: "api" | "worker",
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    log: WriteStream,
  ) {
    this.#kind = kind;
    this.#start = () => start(args, env, log);
    this.#child = this.#keep();
  }

  target(): Target[] {
    const { pid } = this.#child;
    return pid === undefined ? [] : [{ kind: this.#kind, name: `second ${this.#kind}`, pid }];
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await end(this.#child);
  }

  #keep(): ChildProcess {
    const child = this.#start();
    child.once("exit", (_code, signal) => {
      if (signal === "SIGKILL") this.killed++;
      if (!this.#stopping) this.#child = this.#keep();
    });
    return child;
  }
}

const toTarget = ({ name, pid }: Run["processes"][number]): Target => ({
  kind: name === "postgres" || name === "api" ? name : "worker",
  name,
  pid,
});

function environment(dataDir: string): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return {
    PATH,
    HOME,
    DATA_DIR: dataDir,
    CAPABILITIES_DIR: CAPABILITIES,
    DRAIN_MS: String(DRAIN_MS),
    ACCOUNTS_PER_HOUR: "1000000",
    LOG_LEVEL: "warn",
    FAIL_POINTS: `between commit and dispatch:${FAIL_POINT_CHANCE},between finishing and settling:${FAIL_POINT_CHANCE},between ending and advancing:${FAIL_POINT_CHANCE},between reading and advancing:${FAIL_POINT_CHANCE}`,
  };
}

async function ports() {
  const [port, toolApi, ops] = [await freePort(), await freePort(), await freePort()];
  return {
    PORT: String(port),
    TOOL_API_PORT: String(toolApi),
    OPS_PORT: String(ops),
    BASE_URL: `http://127.0.0.1:${port}`,
  };
}

function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  log: WriteStream,
  stdout: "ignore" | "pipe" = "ignore",
): ChildProcess {
  const child = spawn(process.execPath, [ENTRY, ...args], { env, stdio: ["ignore", stdout, "pipe"] });
  child.stderr?.on("data", (chunk: Buffer) => log.write(chunk));
  return child;
}

/** SIGTERM, and SIGKILL for what does not follow. Gives the exit code; null for a process that was killed. */
async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, "exit") as Promise<[number | null]>;
  child.kill("SIGTERM");
  const killer = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
  const [code] = await exited;
  clearTimeout(killer);
  return code;
}

/** The platform says `ready` once, on its standard output. */
async function untilReady(up: ChildProcess, logFile: string): Promise<void> {
  const ready = new Promise<"ready">((resolve) => {
    up.stdout?.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes("ready")) resolve("ready");
    });
  });
  const first = await Promise.race([ready, once(up, "exit"), sleep(READY_LIMIT_MS)]);
  if (first === "ready") return;
  up.kill("SIGKILL");
  throw new Error(`the platform does not start: see ${logFile}`);
}

async function query<T extends object>(
  url: string,
  text: string,
  params: readonly unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, application_name: "chaos" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(text, [...params])).rows;
  } finally {
    await client.end();
  }
}
