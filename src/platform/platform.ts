import { fork } from "node:child_process";
import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { type Supervisor, supervise } from "./supervision/supervisor.ts";
import { acquireLock } from "./embedded/lock.ts";
import { hasRunFile, removeRunFile, type RunningProcess, writeRunFile } from "./embedded/run-file.ts";
import { type EmbeddedPostgres, startPostgres } from "./embedded/postgres.ts";
import type { Config } from "./config.ts";
import { WORKER_POOLS } from "../core/calls/pools.ts";
import { MODEL_TIERS, type ModelTier } from "../core/models/models.ts";
import { withoutSecretFile } from "./config/secret-files.ts";
import { modulePath } from "../core/module-path.ts";
import { freePort } from "./free-port.ts";
import type { Logger } from "pino";
import type { Life } from "./process-life.ts";
import type { Told } from "./supervision/parent.ts";
import { checkPlaces, placesOf } from "./listening.ts";
import { inDataDir } from "./data-dir.ts";

/** A running platform: all of its processes. */
export type Platform = {
  readonly databaseUrl: string;
  /** The tiers that the offline server of this platform serves; empty where it has none. */
  readonly offlineTiers: readonly ModelTier[];
  stop(): Promise<void>;
};

const LOOPBACK = "127.0.0.1";
const ENTRY = modulePath(join(import.meta.dirname, "../cli/main.ts"));

/** The C library on Linux gives each thread a heap of its own otherwise, and keeps what is freed in it. */
const FRUGAL = { MALLOC_ARENA_MAX: "2" };

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a stop may take after the API and the workers have drained: the offline models, and the database at its slowest. */
export const STOP_REST_MS = 35_000;

export type PlatformOptions = Pick<Life, "stopping" | "hurry"> & { readonly log: Logger };

/**
 * Starts the database, unless there is one, brings its schema up to date, and starts the API and the workers. `env` is
 * the environment that `config` was read from; the children read it again. When `stopping` breaks it off or something
 * does not start, this throws and nothing is left running.
 */
export async function startPlatform(
  config: Config,
  env: Environment,
  { stopping, hurry, log: logger }: PlatformOptions,
): Promise<Platform> {
  const log = (line: string): void => logger.warn(line);
  const { dataDir } = config;
  const lock = await inDataDir(dataDir, () => acquireLock(dataDir));
  let postgres: EmbeddedPostgres | undefined;
  let supervisor: Supervisor | undefined;
  const stop = async (): Promise<void> => {
    await supervisor?.stop();
    await postgres?.stop();
    removeRunFile(config.dataDir);
    await lock.release();
  };
  try {
    // The children of a supervisor that was killed drain, and hold its ports until then.
    const waitMs = hasRunFile(dataDir) ? config.drainMs : 0;
    await checkPlaces(placesOf(config), { waitMs, stopping });
    if (config.databaseUrl === null)
      postgres = await inDataDir(dataDir, () => startPostgres({ dataDir, log, stopping }));
    const databaseUrl = config.databaseUrl ?? postgres?.url ?? "";
    const offlineTiers = MODEL_TIERS.filter((tier) => config.models.tiers[tier].server === null);
    const offline = offlineTiers.length === 0 ? null : await offlineModels(env);
    const childEnv = { ...childEnvironment(config, env, databaseUrl), ...offline?.env };
    await prepare(childEnv, stopping);
    supervisor = await startChildren({ config, env: childEnv, postgres, offline, stopping, hurry, log });
    return { databaseUrl, offlineTiers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The offline model server as a process, and the settings by which the others find it. */
type OfflineModels = {
  readonly args: readonly string[];
  readonly env: { readonly OFFLINE_MODELS_URL: string };
};

/** A port is chosen before the process starts, so that it has the same one when it is started again. */
async function offlineModels(env: Environment): Promise<OfflineModels> {
  const port = await freePort(0, { host: LOOPBACK });
  const folder = env["CAPABILITIES_DIR"] ?? "";
  return {
    args: [
      "offline-models",
      "--host",
      LOOPBACK,
      "--port",
      String(port),
      ...(folder === "" ? [] : ["--capabilities", folder]),
    ],
    env: { OFFLINE_MODELS_URL: `http://${LOOPBACK}:${port}` },
  };
}

/** In a process of its own, which takes with it what only the start needs. Throws with the reason that it tells. */
async function prepare(env: Readonly<Record<string, string>>, stopping: AbortSignal): Promise<void> {
  stopping.throwIfAborted();
  const child = fork(ENTRY, ["prepare"], { env: { ...env }, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const breakOff = (): void => void child.kill("SIGKILL");
  stopping.addEventListener("abort", breakOff, { once: true });
  let reason = "What has to be done before the processes start was broken off.";
  child.on("message", (told: Told) => {
    if ("failed" in told) reason = told.failed;
  });
  const [code] = (await once(child, "close")) as [number | null];
  stopping.removeEventListener("abort", breakOff);
  stopping.throwIfAborted();
  if (code !== 0) throw new Error(reason);
}

async function startChildren({
  config,
  env,
  postgres,
  offline,
  ...options
}: {
  readonly config: Config;
  readonly env: Readonly<Record<string, string>>;
  readonly postgres: EmbeddedPostgres | undefined;
  readonly offline: OfflineModels | null;
  readonly stopping: AbortSignal;
  readonly hurry: AbortSignal;
  readonly log: (line: string) => void;
}): Promise<Supervisor> {
  let children: readonly RunningProcess[] = [];
  const write = (): void => {
    const server = postgres === undefined ? [] : [{ name: "postgres", pools: [], pid: postgres.pid }];
    writeRunFile(config.dataDir, {
      pid: process.pid,
      databaseUrl: env["DATABASE_URL"] ?? "",
      redisUrl: config.redisUrl,
      baseUrl: config.baseUrl,
      apiUrl: config.apiUrl,
      opsUrl: config.opsUrl,
      processes: [...server, ...children],
    });
  };
  postgres?.onRestart(write);
  return await supervise({
    entry: ENTRY,
    drainMs: config.drainMs,
    ...options,
    onChange: (processes) => {
      children = processes;
      write();
    },
    children: [
      ...(offline === null
        ? []
        : [{ name: "offline-models", pools: [], args: offline.args, env, stopsLast: true }]),
      { name: "api", pools: [], args: ["api"], env },
      { name: "worker-all", pools: WORKER_POOLS, args: ["worker", WORKER_POOLS.join(",")], env },
    ],
  });
}

function childEnvironment(config: Config, env: Environment, databaseUrl: string): Record<string, string> {
  const inherited = Object.entries(withoutSecretFile(env, "DATABASE_URL")).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const cacheDir = getCompileCacheDir();
  return {
    ...FRUGAL,
    ...Object.fromEntries(inherited),
    ...(cacheDir === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cacheDir) }),
    DATABASE_URL: databaseUrl,
    DATA_DIR: config.dataDir,
  };
}
