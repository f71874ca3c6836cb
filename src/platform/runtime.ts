import type { Logger } from "pino";
import { createPostgresDispatcher } from "../../queues/postgres.ts";
import { openArtifactStore } from "../adapters/artifacts/open.ts";
import type { ArtifactStore } from "../adapters/artifacts/store.ts";
import { connectSemanticServer } from "../adapters/memory/semantic-server.ts";
import { openModels } from "../adapters/models/open.ts";
import { type Database, openDatabase } from "../adapters/postgres/database.ts";
import { Listener } from "../adapters/postgres/listener.ts";
import { joinDatabase } from "../adapters/postgres/schema-version.ts";
import { createPostgresWakeBus } from "../adapters/postgres/wake-bus.ts";
import type { PresenceReport } from "../adapters/redis/presence.ts";
import { type OpenCatalog, openCatalog } from "./catalog.ts";
import type { Config } from "./config.ts";
import { createLog, logCallEnd } from "./log.ts";
import type { Dispatcher, WakeBus } from "../core/calls/dispatch.ts";
import type { FeatureServices, HandlerServices, OpenFeatureServices } from "../core/catalog/define.ts";
import { importFromRooms } from "../core/catalog/rooms.ts";
import { AppError } from "../core/errors.ts";
import { Circuits } from "../core/models/circuits.ts";
import { Advancer } from "../core/runs/advancer.ts";
import { OutputStore } from "../core/calls/outputs.ts";
import { Availability } from "../core/catalog/availability.ts";
import type { FailPoint } from "../core/fail-point.ts";
import type { ObserveEnd } from "../core/observe/call-end.ts";
import { PoolCounters } from "../core/observe/pool-counters.ts";
import { Memories } from "../core/memory/memories.ts";
import type { SemanticServer } from "../core/memory/semantic.ts";
import type { KeyRing } from "../core/secrets/key-ring.ts";
import { inDataDir } from "./data-dir.ts";
import { openKeyRing } from "./config/secret-key.ts";

/** What every process of the platform stands on: the core's ports, met by their adapters. */
export type Runtime = OpenCatalog & {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Database;
  readonly dispatcher: Dispatcher;
  readonly bus: WakeBus;
  readonly store: ArtifactStore;
  readonly services: HandlerServices;
  readonly availability: Availability;
  /** Takes runs on. */
  readonly runs: Advancer;
  readonly semanticMemory: SemanticServer | null;
  readonly keyRing: KeyRing;
  readonly failPoint: FailPoint;
  /** What this process counted of the calls that it ended. */
  readonly counters: PoolCounters;
  readonly onCallEnd: ObserveEnd;
  close(): Promise<void>;
};

/**
 * Connects a process. Throws where the schema of the database and this program do not fit. `name` is how the process shows in logs and in the server.
 */
export async function createRuntime(config: Config, databaseUrl: string, name: string): Promise<Runtime> {
  const log = createLog(config, name);
  const traces = await openTraces(config, log, name);
  const role = await joinDatabase(databaseUrl);
  if (role === null) log.warn("the owner of the database may not create roles: running as the owner itself");
  const db = openDatabase({
    url: databaseUrl,
    role,
    lookUpsOnly: true,
    maxConnections: config.databaseConnections,
    applicationName: `meshforge ${name}`,
  });
  const store = await inDataDir(config.dataDir, () =>
    openArtifactStore(config, db, (why) =>
      log.warn({ why }, "the artifact store does not answer or takes nothing"),
    ),
  );
  const { dispatcher, bus, closeQueues } = await connectQueues(config, databaseUrl, db, log);
  const counters = new PoolCounters(db, (error) => log.warn({ err: error }, "counters"));
  const { catalog, listings, stats } = await openCatalog(config, { db, bus, log });
  const semanticMemory = config.memory === null ? null : connectSemanticServer(config.memory);
  const memory = new Memories({
    db,
    semantic: semanticMemory,
    onFallback: (error) => log.warn({ err: error }, "the semantic memory server did not rank"),
  });
  const availability = new Availability(db, new Circuits(db));
  const failPoint = createFailPoint(config.failPoints);
  const onCallEnd: ObserveEnd = (end) => {
    counters.count(end);
    logCallEnd(log, end);
  };
  const runs = new Advancer({
    db,
    onCallEnd,
    catalog,
    availability,
    outputs: new OutputStore(store),
    dispatcher,
    bus,
    failPoint,
    onError: (error, context) => log.warn({ err: error, ...context }, "runs"),
  });
  return {
    config,
    log,
    db,
    catalog,
    listings,
    stats,
    availability,
    runs,
    dispatcher,
    bus,
    store,
    services: {
      artifacts: store,
      models: openModels({
        config: config.models,
        db,
        bus,
        onError: (error) => log.warn({ err: error }, "models"),
      }),
      memory,
      baseUrl: config.baseUrl,
      features: await openFeatures(config, db),
    },
    semanticMemory,
    keyRing: await inDataDir(config.dataDir, () => openKeyRing(config.secretKey, config.dataDir)),
    failPoint,
    counters,
    onCallEnd,
    close: async () => {
      await runs.settled();
      await Promise.all([listings.stop(), stats.stop(), counters.flush(), traces?.close()]);
      await closeQueues();
      store.close();
      await db.close();
    },
  };
}

/** Sends traces, where a collector is named; loaded only then. */
async function openTraces({ tracing }: Config, log: Logger, name: string) {
  if (tracing === null) return undefined;
  const { sendTraces } = await import("../adapters/tracing/otlp.ts");
  return sendTraces(tracing, name, (error) => log.warn({ err: error }, "traces"));
}

/** The services that the features bring for their own handlers. */
async function openFeatures(
  { capabilityRoots, probeContactUrl }: Config,
  db: Database,
): Promise<FeatureServices> {
  const opened = await importFromRooms<OpenFeatureServices>(capabilityRoots, "services.ts");
  return Object.assign({}, ...opened.map((open) => open({ db, probeContactUrl }))) as FeatureServices;
}

type Queues = {
  readonly dispatcher: Dispatcher;
  readonly bus: WakeBus;
  readonly closeQueues: () => Promise<void>;
};

async function connectQueues(
  config: Config,
  databaseUrl: string,
  db: Database,
  log: Logger,
): Promise<Queues> {
  const onError = (error: unknown): void => {
    const away = error instanceof AppError && error.code === "unavailable";
    log[away ? "warn" : "error"]({ err: error }, "queue");
  };
  if (config.redisUrl !== null) {
    // Loaded only here: the embedded default does without them, and without their memory.
    const { createRedisDispatcher } = await import("../../queues/redis.ts");
    const { createRedisWakeBus } = await import("../adapters/redis/wake-bus.ts");
    const { RedisPresence } = await import("../adapters/redis/presence.ts");
    const redis = { url: config.redisUrl, prefix: config.redisPrefix };
    const presence = new RedisPresence({ ...redis, report: reportRedis(log) });
    await presence.start();
    const dispatcher = createRedisDispatcher({ ...redis, presence, onError });
    const bus = createRedisWakeBus({ ...redis, presence });
    const closeQueues = async (): Promise<void> => {
      await Promise.all([dispatcher.close(), bus.close()]);
      await presence.close();
    };
    return { dispatcher, bus, closeQueues };
  }
  const listener = new Listener(databaseUrl, (error) => log.warn({ err: error }, "listener"));
  const dispatcher = createPostgresDispatcher({ db, ear: listener, onError });
  const bus = createPostgresWakeBus(db, listener, onError);
  const closeQueues = async (): Promise<void> => {
    await Promise.all([bus.close(), dispatcher.close()]);
    await listener.close();
  };
  return { dispatcher, bus, closeQueues };
}

/** One line when Redis goes, one a minute while it is away, and one when it is back. */
const reportRedis = (log: Logger): PresenceReport => ({
  onAway: ({ sinceMs, err }) =>
    log.warn({ err, awayMs: sinceMs }, "Redis is away: workers look for calls in the calls table"),
  onBack: ({ sinceMs }) => log.warn({ awayMs: sinceMs }, "Redis is back"),
  onFault: (err) => log.error({ err }, "Redis"),
});

function createFailPoint(chances: ReadonlyMap<string, number>): FailPoint {
  return (at) => {
    if (Math.random() < (chances.get(at) ?? 0)) process.kill(process.pid, "SIGKILL");
  };
}
