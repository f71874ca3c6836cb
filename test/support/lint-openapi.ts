import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { loadConfig } from "../../src/platform/config.ts";
import { Catalog } from "../../src/core/catalog/catalog.ts";
import { loadFolders } from "../../src/core/catalog/folders.ts";
import { importFromRooms } from "../../src/core/catalog/rooms.ts";
import { Turns } from "../../src/core/turns.ts";
import { Bodies } from "../../src/http/server/bodies.ts";
import type { FeatureRoutes } from "../../src/http/marketplace/feature-routes.ts";
import { createMarketplaceApp } from "../../src/http/marketplace/app.ts";
import type { MarketplaceServices } from "../../src/http/marketplace/services.ts";
import { createToolApiApp } from "../../src/http/tool-api/app.ts";

/** Lints the OpenAPI documents of both surfaces, as they are served, with Redocly; ends with its exit code. */
const ROOT = join(import.meta.dirname, "..", "..");
const logger = pino({ level: "silent" });
const bodies = new Bodies(new Turns());

/** Enough to register the routes; none is called. */
async function routesOnly(): Promise<MarketplaceServices> {
  const { capabilityRoots, baseUrl } = loadConfig({});
  const services: Partial<MarketplaceServices> = {
    catalog: new Catalog(await loadFolders(capabilityRoots)),
    featureRoutes: await importFromRooms<FeatureRoutes>(capabilityRoots, "routes.ts"),
    baseUrl,
    bodies,
    accountsPerHour: 1,
  };
  return services as MarketplaceServices;
}

const apps = {
  marketplace: await createMarketplaceApp(await routesOnly(), { logger, trustProxy: false }),
  "tool-api": await createToolApiApp("http://localhost:4001", { logger, trustProxy: false, bodies }),
};
const directory = await mkdtemp(join(tmpdir(), "meshforge-openapi-"));
try {
  const files = await Promise.all(
    Object.entries(apps).map(async ([name, app]) => {
      const path = join(directory, `${name}.json`);
      await writeFile(path, (await app.inject("/openapi.json")).body);
      await app.close();
      return path;
    }),
  );
  const lint = spawnSync(
    join(ROOT, "tools/node_modules/.bin/redocly"),
    ["lint", "--config", join(ROOT, "redocly.yaml"), ...files],
    {
      stdio: "inherit",
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    },
  );
  process.exitCode = lint.status ?? 1;
} finally {
  await rm(directory, { recursive: true });
}
