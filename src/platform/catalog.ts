import type { Logger } from "pino";
import type { WakeBus } from "../core/calls/dispatch.ts";
import { Catalog } from "../core/catalog/catalog.ts";
import { loadFolders } from "../core/catalog/folders.ts";
import { Listings } from "../core/catalog/listings.ts";
import { handlerRooms } from "../core/catalog/rooms.ts";
import { CatalogStats } from "../core/catalog/stats.ts";
import type { Db } from "../core/db.ts";
import type { Config } from "./config.ts";

/** What a process knows of what can be called. */
export type OpenCatalog = {
  readonly catalog: Catalog;
  readonly listings: Listings;
  /** Read by who starts them. */
  readonly stats: CatalogStats;
};

/** Loads what the folders declare and what the rows list, and follows the rows. */
export async function openCatalog(
  { capabilityRoots }: Config,
  { db, bus, log }: { readonly db: Db; readonly bus: WakeBus; readonly log: Logger },
): Promise<OpenCatalog> {
  const catalog = new Catalog(await loadFolders(capabilityRoots));
  const rooms = await handlerRooms(capabilityRoots);
  const listings = new Listings({
    db,
    catalog,
    bus,
    rooms,
    onError: (error, context) => log.warn({ err: error, ...context }, "listings"),
  });
  await listings.start();
  const stats = new CatalogStats(db, (error) => log.warn({ err: error }, "counters of the catalog"));
  return { catalog, listings, stats };
}
