import { migrate } from "../adapters/postgres/migrate.ts";
import { loadConfig } from "../platform/config.ts";
import { databaseUrlOf } from "./database-url.ts";

/** Brings the schema up to date and says what it did. */
export async function migrateCommand(): Promise<void> {
  const { ran, applied } = await migrate(await databaseUrlOf(loadConfig()));
  const did = [
    ...(ran.length === 0 ? [] : [`Ran ${ran.join(", ")}.`]),
    ...(applied.length === 0 ? [] : [`Applied ${applied.length} files of functions, triggers and grants.`]),
  ];
  console.log(did.length === 0 ? "The schema is up to date." : did.join(" "));
}
