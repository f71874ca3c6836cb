import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import { openCluster } from "./cluster.ts";
import { DATABASE, ROLE } from "./initdb.ts";
import { isStopping, stopPostmaster } from "./postmaster.ts";
import type { Server } from "./server.ts";
import { adoptServer, findFreePort, launchServer } from "./server.ts";

/** A running PostgreSQL, which is started again on the same address whenever it ends unasked. */
export type EmbeddedPostgres = {
  /** Connects as the database's owner. The same for the whole life of this object. */
  readonly url: string;
  /** The server's process; another one after a restart. */
  readonly pid: number;
  /** Calls `listener` each time that the server has ended unasked, before it is started again. */
  onExit(listener: () => void): void;
  /** Calls `listener` each time that the server takes connections again. */
  onRestart(listener: () => void): void;
  /** Stops the server, and with it the restarts. */
  stop(): Promise<void>;
};

export type PostgresOptions = {
  /** Holds the cluster, or a link to it, as `postgres`, and the server's log as `postgres.log`. */
  readonly dataDir: string;
  /** Told in a sentence of what goes wrong, and when it is right again. */
  readonly log?: (line: string) => void;
  /** Aborted to break off the start. */
  readonly stopping?: AbortSignal;
};

/** How often it is looked whether somebody else has told the server to end. */
const LOOK_MS = 250;
const FIRST_START_TRIES = 5;
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;

/**
 * A real PostgreSQL on 127.0.0.1 whose data are in DATA_DIR/postgres; the first start makes them. A server that
 * outlived the process which had started it is taken over. The caller holds the lock of DATA_DIR.
 * Throws when there is no PostgreSQL for this machine, when it does not start, or when the start is broken off; then
 * nothing of it runs.
 */
export async function startPostgres({
  dataDir,
  log = () => {},
  stopping = new AbortController().signal,
}: PostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir, stopping);
  stopping.throwIfAborted();
  const logFile = join(dataDir, "postgres.log");
  const server = (await adoptServer(cluster, stopping)) ?? (await launchFirst(cluster, logFile, stopping));
  return new SupervisedPostgres({ cluster, server, logFile, log });
}

/** Another program may take the port between its choice and the server's start; then it is another port's turn. */
async function launchFirst(cluster: Cluster, logFile: string, stopping: AbortSignal): Promise<Server> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await launchServer(cluster, await findFreePort(), { logFile, stopping });
    } catch (error) {
      if (tries === FIRST_START_TRIES || stopping.aborted) throw error;
      await sleep(backoffMs(tries));
    }
  }
}

class SupervisedPostgres implements EmbeddedPostgres {
  readonly url: string;
  readonly #cluster: Cluster;
  readonly #logFile: string;
  readonly #log: (line: string) => void;
  readonly #onExit: (() => void)[] = [];
  readonly #onRestart: (() => void)[] = [];
  readonly #supervision: Promise<void>;
  readonly #stopping = new AbortController();
  #server: Server;

  constructor(options: { cluster: Cluster; server: Server; logFile: string; log: (line: string) => void }) {
    const { cluster, server } = options;
    this.url = `postgres://${ROLE}:${cluster.password}@127.0.0.1:${server.port}/${DATABASE}`;
    this.#cluster = cluster;
    this.#server = server;
    this.#logFile = options.logFile;
    this.#log = options.log;
    this.#supervision = this.#supervise();
  }

  get pid(): number {
    return this.#server.pid;
  }

  onExit(listener: () => void): void {
    this.#onExit.push(listener);
  }

  onRestart(listener: () => void): void {
    this.#onRestart.push(listener);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#supervision;
  }

  /** The only place that starts and stops the server, so that a stop cannot miss a restart that is under way. */
  async #supervise(): Promise<void> {
    const stopped = once(this.#stopping.signal, "abort").then(() => "stopped" as const);
    while ((await Promise.race([stopped, this.#endUnasked()])) !== "stopped") {
      this.#log("The database ended and is started again.");
      for (const listener of this.#onExit) listener();
      const server = await this.#relaunch();
      if (server === null) return;
      this.#server = server;
      this.#log("The database runs again.");
      for (const listener of this.#onRestart) listener();
    }
    await stopPostmaster(this.#server.pid);
  }

  /**
   * Fulfilled when the server has ended. One that was told to end by somebody else, as by a SIGTERM to all processes of a
   * service, takes no new connections and waits for the old ones: with those who still drain it would wait for good, so
   * that it is made to end at once.
   */
  async #endUnasked(): Promise<void> {
    const { pid, ended } = this.#server;
    const gone = ended.then(() => true);
    while (!(await Promise.race([gone, sleep(LOOK_MS, false, { ref: false })]))) {
      if (this.#stopping.signal.aborted) return;
      if (await isStopping(this.#cluster.directory)) await stopPostmaster(pid);
    }
  }

  /** Everybody knows the server by its port, so it is that port however long it takes. Null once stopped. */
  async #relaunch(): Promise<Server | null> {
    const { signal } = this.#stopping;
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        return await launchServer(this.#cluster, this.#server.port, {
          logFile: this.#logFile,
          stopping: signal,
        });
      } catch (error) {
        this.#log(`The database does not start: ${String(error)}`);
        await sleep(backoffMs(tries), undefined, { signal }).catch(() => {});
      }
    }
    return null;
  }
}

function backoffMs(tries: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** (tries - 1), LONGEST_BACKOFF_MS);
}
