import { migrate } from "../adapters/postgres/migrate.ts";
import { loadConfig } from "../platform/config.ts";
import { databaseUrlOf } from "./database-url.ts";

/** Brings the schema up to date and says what it did. */
export async function migrateCommand(): Promise<void> {
  const ran = await migrate(await databaseUrlOf(loadConfig()));
  console.log(ran.length === 0 ? "The schema is up to date." : `Ran ${ran.join(", ")}.`);
}
