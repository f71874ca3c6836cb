import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile, stat } from "node:fs/promises";
import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import { SERVER_ENVIRONMENT } from "./initdb.ts";
import { clearRemains, readPostmaster, stopPostmaster } from "./postmaster.ts";
import { isAlive, programOf } from "./process-table.ts";
import { settingArguments } from "./settings.ts";

/** A server that takes connections. */
export type Server = {
  readonly pid: number;
  readonly port: number;
  /** Fulfilled when its process has ended. */
  readonly ended: Promise<void>;
};

const POLL_MS = 20;
const ADOPTED_POLL_MS = 200;
/** Recovery after a crash replays up to `max_wal_size` of log. */
const READY_LIMIT_MS = 300_000;
const LOG_LIMIT_BYTES = 8_388_608;
const LOG_TAIL_CHARS = 2_000;
const OWNER_ONLY = 0o600;
/**
 * Below the ports that systems give to outgoing connections: a client that keeps trying to reach a dead server
 * on such a port can be given that very port, connects to itself, and the server never gets its port back.
 */
const FIRST_PORT = 15_000;
const LAST_PORT = 31_999;
const PORT_TRIES = 100;

/** The server that outlived the process which started it, or null. One of replaced programs is stopped instead. */
export async function adoptServer(cluster: Cluster, stopping: AbortSignal): Promise<Server | null> {
  const found = await readPostmaster(cluster.directory);
  if (found === null) return null;
  const program = await programOf(found.pid);
  if (found.status === "stopping" || (program !== null && program !== cluster.binaries.postgres)) {
    await stopPostmaster(found.pid);
    return null;
  }
  const ended = untilGone(found.pid);
  const port = await untilReady(cluster, { pid: found.pid, ended, stopping });
  return port === null ? null : { pid: found.pid, port, ended };
}

/**
 * Starts a server on the cluster. It lives on when this process ends. Throws with the end of the server's log; when
 * `stopping` breaks it off, the server is stopped first.
 */
export async function launchServer(
  cluster: Cluster,
  port: number,
  { logFile, stopping }: { readonly logFile: string; readonly stopping: AbortSignal },
): Promise<Server> {
  await clearRemains(cluster.directory);
  const log = await open(logFile, (await isLarge(logFile)) ? "w" : "a", OWNER_ONLY);
  const { size: saidBefore } = await log.stat();
  const child = spawn(
    cluster.binaries.postgres,
    ["-D", cluster.directory, "-p", String(port), ...settingArguments()],
    // In a group of its own, a Ctrl-C in the terminal does not reach it before the platform has drained.
    { ...cluster.user, cwd: "/", env: SERVER_ENVIRONMENT, detached: true, stdio: ["ignore", log.fd, log.fd] },
  );
  const ended = untilExit(child);
  try {
    await once(child, "spawn");
  } finally {
    await log.close();
  }
  child.unref();
  const pid = child.pid as number;
  if ((await untilReady(cluster, { pid, ended, stopping })) === null) {
    stopping.throwIfAborted();
    const said = (await readFile(logFile)).subarray(saidBefore).toString();
    throw new Error(`PostgreSQL did not start: ${said.slice(-LOG_TAIL_CHARS).trim()}`);
  }
  return { pid, port, ended };
}

/** A port of 127.0.0.1 that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < PORT_TRIES; tries += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between ${FIRST_PORT} and ${LAST_PORT}.`);
}

/** The server's port once it takes connections, or null if it ends before that, as it is made to by `stopping`. */
async function untilReady(
  cluster: Cluster,
  {
    pid,
    ended,
    stopping,
  }: { readonly pid: number; readonly ended: Promise<void>; readonly stopping: AbortSignal },
): Promise<number | null> {
  const gone = ended.then(() => "gone" as const);
  const deadline = performance.now() + READY_LIMIT_MS;
  for (;;) {
    const found = await readPostmaster(cluster.directory);
    if (found?.pid === pid && found.status === "ready") return found.port;
    if (performance.now() > deadline || stopping.aborted) await stopPostmaster(pid);
    if ((await Promise.race([gone, sleep(POLL_MS)])) === "gone") return null;
  }
}

function untilExit(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => {
      resolve();
    });
  });
}

/** For a process that is not our child, and whose end nobody tells us. */
async function untilGone(pid: number): Promise<void> {
  while (await isAlive(pid)) await sleep(ADOPTED_POLL_MS, undefined, { ref: false });
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    probe.listen(port, "127.0.0.1");
    await once(probe, "listening");
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}

async function isLarge(file: string): Promise<boolean> {
  return stat(file).then(
    ({ size }) => size > LOG_LIMIT_BYTES,
    () => false,
  );
}
