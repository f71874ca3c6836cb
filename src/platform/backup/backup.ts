import { createReadStream, existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { dumpDatabase, migrationsOf } from "../../adapters/postgres/dump.ts";
import type { Config } from "../config.ts";
import { BackupWriter } from "./backup-file.ts";

/** A multiple of three, so that each part is base64 without padding between. */
const PART_BYTES = 786_432;

export type Backed = { readonly rows: number; readonly files: number };

/**
 * Writes all that the platform of this data directory keeps into one file, while it runs: first the database, as of one
 * moment, and then the artifacts. They are never changed, so whatever a row of that moment points at is among them.
 */
export async function backUp(
  config: Pick<Config, "dataDir" | "s3" | "secretKey">,
  databaseUrl: string,
  path: string,
): Promise<Backed> {
  const artifacts = join(config.dataDir, "artifacts");
  const writer = await BackupWriter.create(path, {
    created: new Date().toISOString(),
    migrations: await migrationsOf(databaseUrl),
    secret_key: config.secretKey.current === null ? await keptKey(config.dataDir) : null,
    with_artifacts: config.s3 === null,
  });
  try {
    let [rows, files] = [0, 0];
    await dumpDatabase(databaseUrl, async (record) => {
      if ("row" in record) rows++;
      await writer.write(record);
    });
    if (config.s3 === null) {
      for (const file of await filesIn(artifacts)) {
        files++;
        const parts = createReadStream(join(artifacts, file), { highWaterMark: PART_BYTES });
        for await (const part of parts as AsyncIterable<Buffer>) {
          await writer.write({ file, data: part.toString("base64") });
        }
      }
    }
    await writer.finish();
    return { rows, files };
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

async function keptKey(dataDir: string): Promise<string | null> {
  const path = join(dataDir, "secret-key");
  return existsSync(path) ? await readFile(path, "utf8") : null;
}

/** The whole files of an artifact folder: half-written ones lie apart. */
async function filesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const kind of ["files", "outputs"]) {
    for (const shard of await namesIn(join(folder, kind))) {
      for (const name of await namesIn(join(folder, kind, shard))) found.push(`${kind}/${shard}/${name}`);
    }
  }
  return found;
}

async function namesIn(folder: string): Promise<string[]> {
  return existsSync(folder) ? (await readdir(folder)).sort() : [];
}
