import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type Database, openDatabase } from "../adapters/postgres/database.ts";
import { checkVersion, storedVersion } from "../adapters/postgres/schema-version.ts";
import { type Config, loadConfig } from "../platform/config.ts";

const runFile = z.object({ databaseUrl: z.string() });

/** `DATABASE_URL`, or the database of the platform that runs on this DATA_DIR. */
export async function databaseUrlOf(config: Config): Promise<string> {
  if (config.databaseUrl !== null) return config.databaseUrl;
  try {
    return runFile.parse(JSON.parse(await readFile(join(config.dataDir, "run.json"), "utf8"))).databaseUrl;
  } catch (error) {
    throw new Error(`Nothing runs on ${config.dataDir}: start it with \`npm start\`, or set DATABASE_URL.`, {
      cause: error,
    });
  }
}

/** Runs an operator's command on the database, as its owner. Throws where its schema does not fit. */
export async function withDatabase<T>(act: (db: Database) => Promise<T>): Promise<T> {
  const url = await databaseUrlOf(loadConfig());
  const db = openDatabase({ url, role: null, maxConnections: 1, applicationName: "meshforge operator" });
  try {
    checkVersion(await storedVersion((sql) => db.query(sql)));
    return await act(db);
  } finally {
    await db.close();
  }
}
