import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Run } from "../../src/platform/embedded/run-file.ts";
import { freePort } from "../support/global-setup.ts";

const ROOT = join(import.meta.dirname, "../..");
const LAUNCHER = join(ROOT, "src/meshforge.js");
const OPEN_TO_ENTER = 0o755;
const READY_LIMIT_MS = 90_000;
const LOOK_MS = 50;
/** How soon the processes of a killed supervisor have seen that, and the last one of a stop is out of the table. */
const VANISH_LIMIT_MS = 15_000;

export type Environment = Readonly<Record<string, string | undefined>>;
export type Ending = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly tookMs: number;
};

/** A command as an operator runs it in a shell: in a process group of its own. */
export type Command = {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  /** To the first process alone. */
  kill(signal: NodeJS.Signals): void;
  /** To the whole process group, as a terminal, `timeout` and CI runners do. */
  killGroup(signal: NodeJS.Signals): void;
  /** Waits for its end; throws when it does not come. */
  ending(limitMs: number): Promise<Ending>;
};

/** A platform that is up. */
export type Platform = Command & {
  readonly baseUrl: string;
  run(): Run;
  pidOf(name: string): number;
  ask(method: string, path: string, options?: AskOptions): Promise<Answer>;
  newKey(): Promise<string>;
};

export type AskOptions = { readonly key?: string; readonly body?: unknown; readonly prefer?: string };
export type Answer = {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
};

/** What the cases have in common: a DATA_DIR, ports, and the processes on them. */
export class World {
  readonly dataDir: string;
  readonly env: Environment;
  readonly #node = process.env["OPERATIONS_NODE"] ?? nodeOfTheMachine();
  readonly #commands: Command[] = [];
  #running: Platform | undefined;

  private constructor(dataDir: string, env: Environment) {
    this.dataDir = dataDir;
    this.env = env;
  }

  static async open(): Promise<World> {
    const dataDir = await mkdtemp(join(tmpdir(), "meshforge-operations-"));
    // PostgreSQL may run as another user, who has to pass here.
    chmodSync(dataDir, OPEN_TO_ENTER);
    return new World(dataDir, {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      TOOL_API_PORT: String(await freePort()),
      OPS_PORT: String(await freePort()),
      CAPABILITIES_DIR: join(ROOT, "test/support/capabilities"),
      ACCOUNTS_PER_HOUR: "1000000",
      DRAIN_MS: "10000",
    });
  }

  /** Runs `meshforge` with these arguments. */
  meshforge(args: readonly string[], env: Environment = {}): Command {
    return this.command(this.#node, [LAUNCHER, ...args], env);
  }

  command(program: string, args: readonly string[], env: Environment = {}): Command {
    const beganAt = performance.now();
    const child = spawn(program, args, { env: { ...this.env, ...env }, cwd: ROOT, detached: true });
    let ending: Ending | undefined;
    child.on("exit", (code, signal) => (ending = { code, signal, tookMs: performance.now() - beganAt }));
    const output = collect(child);
    const command: Command = {
      pid: child.pid ?? 0,
      ...output,
      kill: (signal) => void child.kill(signal),
      killGroup: (signal) => send(-(child.pid ?? 0), signal),
      ending: async (limitMs) => {
        await until(() => ending !== undefined, limitMs, () => `it did not end within ${limitMs} ms: ${output.stderr()}`); // prettier-ignore
        return ending as Ending;
      },
    };
    this.#commands.push(command);
    return command;
  }

  /**
   * A platform that is up, of an earlier case where that left one, so that not every case takes the time of a start.
   * A case that leaves it running takes it with `shared`, one that ends it with `taken`.
   */
  async shared(): Promise<Platform> {
    return (this.#running ??= await this.up());
  }

  async taken(): Promise<Platform> {
    const platform = await this.shared();
    this.#running = undefined;
    return platform;
  }

  /** Sees to it that nothing runs. */
  async rest(): Promise<void> {
    const platform = this.#running;
    this.#running = undefined;
    platform?.kill("SIGTERM");
    await platform?.ending(READY_LIMIT_MS);
    await this.assertNothingRuns();
  }

  /** `meshforge up`, waited for. */
  async up(env: Environment = {}): Promise<Platform> {
    return await this.ready(this.meshforge(["up"], env));
  }

  /** Waits until a command that is `meshforge up` says that it is ready. */
  async ready(command: Command): Promise<Platform> {
    const early = command.ending(READY_LIMIT_MS).catch(() => null);
    await until(
      async () =>
        command.stdout().includes("ready  ") || (await Promise.race([early, sleep(0, "runs")])) !== "runs",
      READY_LIMIT_MS,
      () => `it was not ready: ${command.stderr()}`,
    );
    assert.match(command.stdout(), /ready {2}/, `it ended at its start: ${command.stderr()}`);
    const run = (): Run => JSON.parse(readFileSync(join(this.dataDir, "run.json"), "utf8")) as Run;
    const { baseUrl } = run();
    const ask: Platform["ask"] = async (method, path, { key, body, prefer } = {}) => {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(prefer === undefined ? {} : { prefer }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Answer["body"] };
    };
    return {
      ...command,
      baseUrl,
      run,
      pidOf: (name) => {
        const found = run().processes.find((process) => process.name === name);
        assert.ok(found, `${name} does not run`);
        return found.pid;
      },
      ask,
      newKey: async () => String((await ask("POST", "/api/accounts", { body: {} })).body["api_key"]),
    };
  }

  /** All processes that work on this DATA_DIR. */
  processes(): number[] {
    const cluster = tryTo(() => realpathSync(join(this.dataDir, "postgres"))) ?? "none";
    const mark = `DATA_DIR=${this.dataDir}`;
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        if (tryTo(() => readlinkSync(`/proc/${pid}/exe`)) === undefined) return false;
        const environment = tryTo(() => readFileSync(`/proc/${pid}/environ`, "utf8")) ?? "";
        return environment.split("\0").includes(mark) || tryTo(() => readlinkSync(`/proc/${pid}/cwd`)) === cluster; // prettier-ignore
      })
      .map(Number)
      .filter((pid) => pid !== process.pid);
  }

  /** Throws when something still runs on this DATA_DIR. */
  async assertNothingRuns(): Promise<void> {
    await until(
      () => this.processes().length === 0,
      VANISH_LIMIT_MS,
      () => `these are left running: ${this.processes().map(nameOf).join("; ")}`,
    );
  }

  /** After a case that failed: kills all. */
  async clear(): Promise<void> {
    this.#running = undefined;
    for (const command of this.#commands.splice(0)) send(-command.pid, "SIGKILL");
    await until(
      () => {
        for (const pid of this.processes()) send(pid, "SIGKILL");
        return this.processes().length === 0;
      },
      VANISH_LIMIT_MS,
      () => "the case left processes that do not end",
    );
  }

  async remove(): Promise<void> {
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/**
 * The Node that this machine's user has, also where npm puts the project's own before it: an older one goes through the
 * launcher, which passes signals on.
 */
function nodeOfTheMachine(): string {
  const folders = (process.env["PATH"] ?? "").split(":").filter((folder) => !folder.includes("node_modules"));
  return folders.map((folder) => join(folder, "node")).find((path) => existsSync(path)) ?? process.execPath;
}

/** Holds a port as another program would. */
export async function holdPort(port: number): Promise<() => Promise<void>> {
  const server = createServer();
  server.listen(port, "0.0.0.0");
  await once(server, "listening");
  return async () => {
    server.close();
    await once(server, "close");
  };
}

/** Sends a signal to a process, or with a negative id to a group; one that has ended misses nothing. */
export function send(pid: number, signal: NodeJS.Signals): void {
  tryTo(() => process.kill(pid, signal));
}

/** Waits until something holds. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  limitMs: number,
  otherwise: () => string,
): Promise<void> {
  const giveUpAt = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(otherwise());
    await sleep(LOOK_MS);
  }
}

function collect(child: ChildProcess): Pick<Command, "stdout" | "stderr"> {
  let [stdout, stderr] = ["", ""];
  child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  return { stdout: () => stdout, stderr: () => stderr };
}

const nameOf = (pid: number): string =>
  `${pid} ${(tryTo(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")) ?? "").replaceAll("\0", " ").slice(0, 80)}`;

function tryTo<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
