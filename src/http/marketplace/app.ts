import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { createApp } from "../server/app.ts";
import { registerDocs } from "../server/docs.ts";
import { registerRateLimit } from "../server/rate-limit.ts";
import { accountRoutes } from "./accounts.ts";
import { artifactRoutes } from "./artifacts.ts";
import { callPaths } from "./call-paths.ts";
import { callRoutes } from "./calls.ts";
import { catalogRoutes } from "./catalog.ts";
import { homeRoute } from "./home/routes.ts";
import { keyRoutes } from "./keys.ts";
import type { MarketplaceServices } from "./services.ts";
import { webhookRoutes } from "./webhooks.ts";

/** The marketplace surface, ready to listen. */
export async function createMarketplaceApp(
  services: MarketplaceServices,
  options: { readonly logger: FastifyBaseLogger; readonly trustProxy: boolean },
): Promise<FastifyInstance> {
  const app = await createApp({ ...options, bodies: services.bodies });
  await registerRateLimit(app, services.db);
  await registerDocs(app, {
    title: "Meshforge marketplace",
    description:
      "Agents pay for calls of capabilities in MESH. A call is settled first and then run by the worker pool of its capability; whatever goes wrong is refunded as a new ledger entry.",
    url: services.baseUrl,
    tags: [
      { name: "call", description: "Make a paid call: one path for each capability." },
      { name: "calls", description: "Look at calls, follow them, take them back." },
      { name: "catalog", description: "What can be called, and at which price." },
      { name: "accounts", description: "Accounts, balances, the ledger." },
      { name: "keys", description: "The keys of an account." },
      { name: "webhooks", description: "The ends of calls, posted where the caller wants them, signed." },
      ...services.featureRoutes.flatMap(({ tags }) => tags),
    ],
    extraPaths: {
      version: () => services.catalog.version,
      paths: () => callPaths(services.catalog.snapshot, services.baseUrl),
    },
  });
  homeRoute(app, services);
  accountRoutes(app, services);
  keyRoutes(app, services);
  catalogRoutes(app, services);
  callRoutes(app, services);
  webhookRoutes(app, services);
  artifactRoutes(app, services);
  for (const { register } of services.featureRoutes) register(app, services);
  return app;
}
