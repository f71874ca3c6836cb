import { Authenticator } from "../core/accounts/authenticate.ts";
import { KeyWatch } from "../core/accounts/key-watch.ts";
import { Calls } from "../core/calls/calls.ts";
import { Estimates } from "../core/calls/estimates.ts";
import { OutputStore } from "../core/calls/outputs.ts";
import { registerCapabilities } from "../core/catalog/entries.ts";
import { importFromRooms } from "../core/catalog/rooms.ts";
import { Turns } from "../core/turns.ts";
import { Bodies } from "../http/server/bodies.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { LIMITS } from "../core/limits.ts";
import { Feeds } from "../core/streams/feeds.ts";
import { StreamQuota } from "../core/streams/stream-quota.ts";
import type { FeatureRoutes } from "../http/marketplace/feature-routes.ts";
import type { MarketplaceServices } from "../http/marketplace/services.ts";
import { createMarketplaceApp } from "../http/marketplace/app.ts";
import type { Streaming } from "../http/server/follow.ts";
import { encodeEvent, EventStreams } from "../http/server/sse.ts";
import { createOpsApp } from "../http/ops/app.ts";
import { createToolApiApp } from "../http/tool-api/app.ts";
import type { Runtime } from "./runtime.ts";
import type { FastifyInstance } from "fastify";
import { listeningFault, type Place, placesOf } from "./listening.ts";

export type Api = {
  /** Takes no more requests, lets those who wait go with what is known, and ends what is open. */
  close(): Promise<void>;
};

/** The services that the marketplace's routes stand on. */
export async function createServices(runtime: Runtime): Promise<MarketplaceServices> {
  const { config, db, catalog, log, store } = runtime;
  await registerCapabilities(db, catalog);
  await runtime.stats.start();
  const outputs = new OutputStore(store);
  const turns = new Turns();
  const calls = new Calls({
    db,
    catalog,
    availability: runtime.availability,
    runs: runtime.runs,
    dispatcher: runtime.dispatcher,
    bus: runtime.bus,
    outputs,
    services: runtime.services,
    turns,
    failPoint: runtime.failPoint,
    maxQueuedPerAccount: config.maxQueuedPerAccount,
    outbound: { allowPrivate: config.allowPrivateUpstreams },
    onCallEnd: runtime.onCallEnd,
    buyUrl: `${config.baseUrl}/api/account/buy`,
    onError: (error, context) => log.error({ err: error, ...context }, "calls"),
  });
  const streaming = createStreaming(runtime);
  await runtime.bus.subscribe((wakes) => {
    calls.waiters.wake(wakes);
    streaming.feeds.wake(new Set(wakes.map(({ callId }) => callId)));
  });
  return {
    db,
    catalog,
    stats: runtime.stats,
    featureRoutes: await importFromRooms<FeatureRoutes>(config.capabilityRoots, "routes.ts"),
    authenticator: new Authenticator(db, (error) => log.warn({ err: error }, "key use")),
    calls,
    estimates: new Estimates(db),
    bodies: new Bodies(turns),
    outputs,
    keyRing: runtime.keyRing,
    streaming,
    files: store,
    baseUrl: config.baseUrl,
    starter: { mesh: config.starterMesh, usdMicros: config.starterUsdMicros },
    accountsPerHour: config.accountsPerHour,
    callWaitMs: config.callWaitMs,
    maxStreamsPerAccount: config.maxStreamsPerAccount,
  };
}

function createStreaming({ db, log }: Runtime): Streaming {
  const onError = (error: unknown): void => log.warn({ err: error }, "streams");
  return {
    feeds: new Feeds({ db, encode: encodeEvent, onError }),
    quota: new StreamQuota(db, onError),
    keys: new KeyWatch(db, onError),
    open: new EventStreams(),
  };
}

/** Serves all three surfaces. */
export async function startApi(runtime: Runtime): Promise<Api> {
  const { config, log: logger, db, catalog } = runtime;
  const services = await createServices(runtime);
  const { trustProxy } = config;
  const { bodies } = services;
  const marketplace = await createMarketplaceApp(services, { logger, trustProxy });
  const toolApi = await createToolApiApp(config.apiUrl, { logger, trustProxy, bodies });
  let stopping = false;
  const ops = await createOpsApp(
    {
      db,
      token: config.opsToken,
      allowedHosts: [config.opsHost, ...config.opsAllowedHosts],
      counters: runtime.counters,
      connections: () => db.stats(),
      dispatcher: runtime.dispatcher,
      store: runtime.store,
      queued: config.redisUrl !== null,
      stopping: () => stopping,
      pools: () => catalog.snapshot.pools,
    },
    { logger, bodies },
  );
  const [marketplaceAt, toolApiAt, opsAt] = placesOf(config);
  await listen(marketplace, marketplaceAt);
  await listen(toolApi, toolApiAt);
  await listen(ops, opsAt);
  return {
    close: async () => {
      // Whoever balances between processes asks whether this one is ready, and sends it nothing more.
      stopping = true;
      await sleep(LIMITS.unreadyMs);
      services.calls.waiters.drain();
      services.streaming.feeds.drain();
      await Promise.all([marketplace.close(), toolApi.close()]);
      await ops.close();
      await bodies.close();
      await services.streaming.quota.close();
    },
  };
}

async function listen(app: FastifyInstance, place: Place): Promise<void> {
  await app.listen({ port: place.port, host: place.host }).catch((error: unknown) => {
    throw listeningFault(place, error);
  });
}
