import type { ChildProcess } from "node:child_process";
import { fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { STOP, type Told } from "./parent.ts";

/** A process that the supervisor keeps. */
export type ChildSpec = {
  /** Unique, as `run.json` shows it. */
  readonly name: string;
  /** The pools that it serves; empty for anything but a worker. */
  readonly pools: readonly string[];
  /** What follows the entry file on the command line. */
  readonly args: readonly string[];
  /** Its whole environment: nothing is added to it. */
  readonly env: Readonly<Record<string, string>>;
  /** The others need it to end in order: it is stopped after them. Default false. */
  readonly stopsLast?: boolean;
};

export type ChildOptions = {
  readonly spec: ChildSpec;
  /** The file that is run, with the options that Node itself was started with. */
  readonly entry: string;
  /** Called when the process begins and when it ends. */
  readonly onChange: () => void;
  readonly log: (line: string) => void;
};

type Ending = {
  readonly how: string;
  readonly servedMs: number;
  /** Why it could not start, where it told that. */
  readonly failed: string | null;
  readonly lastWords: string;
};

const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 10_000;
/** A child that served this long has recovered: its next end counts as a first one. */
const RECOVERED_MS = 10_000;
/** A child that cannot even start has a fault that no restart mends; one that told its reason is not started again. */
const START_TRIES = 3;
const READY_LIMIT_MS = 60_000;
/** How long the last of stderr may take to arrive after the end. */
const LAST_WORDS_LIMIT_MS = 500;
const LAST_WORDS_CHARS = 4_000;

/** A child process that is started again, with growing pauses, whenever it ends before it is stopped. */
export class Child {
  readonly spec: ChildSpec;
  readonly #options: ChildOptions;
  readonly #stopping = new AbortController();
  readonly #firstReady = Promise.withResolvers<void>();
  #process: ChildProcess | null = null;
  #info: Readonly<Record<string, unknown>> = {};
  #wasReady = false;
  #kept: Promise<void> = Promise.resolve();

  constructor(options: ChildOptions) {
    this.spec = options.spec;
    this.#options = options;
    // It may fail before anybody waits for it.
    this.#firstReady.promise.catch(() => {});
  }

  /** Its process, or null while there is none. */
  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  /** What it told when it was last ready. */
  get info(): Readonly<Record<string, unknown>> {
    return this.#info;
  }

  /** Fulfilled when it is ready for the first time. Throws with its reason when it cannot start, or is stopped before. */
  async start(): Promise<void> {
    this.#kept = this.#keep();
    await this.#firstReady.promise;
  }

  /** Asks it to end, kills it when it has not within `drainMs` or there is a hurry, and starts it no more. */
  async stop(drainMs: number, hurry?: AbortSignal): Promise<void> {
    this.#stopping.abort();
    this.#firstReady.reject(new Error(`${this.spec.name} was stopped before it was ready.`));
    const kill = (): void => void this.#process?.kill("SIGKILL");
    if (hurry?.aborted === true) kill();
    // A word for those that leave signals to their supervisor, and a signal for those that do not listen yet.
    if (this.#process?.connected === true) this.#process.send(STOP, () => {});
    this.#process?.kill("SIGTERM");
    const killer = setTimeout(() => {
      this.#options.log(`${this.spec.name} has not ended after ${drainMs} ms and is killed.`);
      kill();
    }, drainMs);
    hurry?.addEventListener("abort", kill, { once: true });
    await this.#kept;
    hurry?.removeEventListener("abort", kill);
    clearTimeout(killer);
  }

  async #keep(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted;) {
      const { how, servedMs, failed, lastWords } = await this.#runOnce();
      if (signal.aborted) return;
      failures = servedMs > RECOVERED_MS ? 1 : failures + 1;
      if (!this.#wasReady && (failed !== null || failures === START_TRIES)) {
        const why = failed === null ? ` (${how}).\n${lastWords}` : `: ${failed}`;
        this.#firstReady.reject(new Error(`${this.spec.name} does not start${why}`.trim()));
        return;
      }
      const pauseMs = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LONGEST_BACKOFF_MS);
      const why = failed === null ? how : `${how}: ${failed}`;
      this.#options.log(`${this.spec.name} ended (${why}) and is started again in ${pauseMs} ms.`);
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  /** From the start of a process to its end. */
  async #runOnce(): Promise<Ending> {
    const { spec, entry, onChange } = this.#options;
    const child = fork(entry, spec.args, {
      env: spec.env,
      // In a group of its own: a Ctrl-C reaches it once, through the supervisor, and not a second time directly.
      detached: true,
      stdio: ["ignore", "inherit", "pipe", "ipc"],
    });
    this.#process = child;
    const lastWords = passOnStderr(child);
    let readySince = Number.POSITIVE_INFINITY;
    let failed: string | null = null;
    const limit = setTimeout(() => {
      failed = `it was not ready after ${READY_LIMIT_MS} ms.`;
      child.kill("SIGKILL");
    }, READY_LIMIT_MS);
    child.on("message", (message) => {
      if (hasFailed(message)) failed = message.failed;
      if (!isReady(message)) return;
      clearTimeout(limit);
      readySince = performance.now();
      this.#wasReady = true;
      this.#info = message.info;
      this.#firstReady.resolve();
    });
    onChange();

    const how = await untilEnd(child);
    clearTimeout(limit);
    this.#process = null;
    onChange();
    return { how, servedMs: Math.max(0, performance.now() - readySince), failed, lastWords: lastWords() };
  }
}

/** Passes the child's stderr on to ours, and gives a function that tells the end of it. */
function passOnStderr(child: ChildProcess): () => string {
  let tail = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    tail = (tail + chunk.toString()).slice(-LAST_WORDS_CHARS);
  });
  return () => tail.trim();
}

async function untilEnd(child: ChildProcess): Promise<string> {
  const how = await new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => {
      resolve(signal ?? `exit code ${code}`);
    });
    child.on("error", (error) => {
      // Later errors are of the channel, and the child's end follows them.
      if (child.pid === undefined) resolve(error.message);
    });
  });
  if (child.stderr !== null && !child.stderr.readableEnded) {
    await Promise.race([new Promise((resolve) => child.once("close", resolve)), sleep(LAST_WORDS_LIMIT_MS)]);
  }
  return how;
}

function isReady(message: unknown): message is Extract<Told, { ready: true }> {
  return typeof message === "object" && message !== null && "ready" in message && message.ready === true;
}

function hasFailed(message: unknown): message is Extract<Told, { failed: string }> {
  return typeof message === "object" && message !== null && "failed" in message;
}
