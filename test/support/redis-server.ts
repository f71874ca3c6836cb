import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { freePort } from "./global-setup.ts";
import { until } from "./until.ts";

export const hasRedisServer = spawnSync("redis-server", ["--version"]).status === 0;

/** A Redis of a test's own, which it may kill, freeze and fill; it is not running yet. */
export class RedisServer {
  readonly port: number;
  readonly url: string;
  #process: ChildProcess | undefined;

  constructor(port: number) {
    this.port = port;
    this.url = `redis://127.0.0.1:${port}`;
  }

  static async stopped(): Promise<RedisServer> {
    return new RedisServer(await freePort());
  }

  static async started(): Promise<RedisServer> {
    const server = await RedisServer.stopped();
    await server.start();
    return server;
  }

  /** What `redis-cli` says. */
  cli(...args: readonly string[]): string {
    return spawnSync("redis-cli", ["-p", String(this.port), ...args])
      .stdout.toString()
      .trim();
  }

  async start(): Promise<void> {
    const settings = ["--port", String(this.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
    this.#process = spawn("redis-server", settings, { stdio: "ignore" });
    await until(async () => this.cli("ping") === "PONG");
  }

  async kill(): Promise<void> {
    const server = this.#process;
    this.#process = undefined;
    if (server === undefined || server.exitCode !== null) return;
    const gone = once(server, "exit");
    server.kill("SIGKILL");
    await gone;
  }

  /** From now on every command hangs. */
  freeze(): void {
    this.#process?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#process?.kill("SIGCONT");
  }
}
