import { migrate } from "../adapters/postgres/migrate.ts";
import { loadConfig } from "../platform/config.ts";
import { Catalog } from "../core/catalog/catalog.ts";
import { loadFolders } from "../core/catalog/folders.ts";
import { importFromRooms } from "../core/catalog/rooms.ts";
import { databaseUrlOf } from "./database-url.ts";

/** What processes load when they start, besides the declarations. */
const PARTS_OF_FEATURES = ["routes.ts", "services.ts", "schedule.ts"];

/**
 * What has to be done once before the processes start: the schema, a look at all capabilities, so that a faulty one is
 * told once, and the compiled code of all that the processes load.
 */
export async function prepare(): Promise<void> {
  const config = loadConfig();
  await Promise.all([
    migrate(await databaseUrlOf(config)),
    loadFolders(config.capabilityRoots).then((found) => new Catalog(found)),
    import("./api.ts"),
    import("./worker.ts"),
    import("./offline-models.ts"),
    import("../../workers/thread-runner.ts"),
    ...PARTS_OF_FEATURES.map((file) => importFromRooms(config.capabilityRoots, file)),
  ]);
}
