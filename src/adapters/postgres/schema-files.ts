import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256Hex } from "../../core/canonical.ts";
import { findRooms } from "../../core/catalog/rooms.ts";
import { OLDEST_PROGRAM, SCHEMA_VERSION, type StoredVersion } from "./schema-version.ts";

const FEATURES = join(import.meta.dirname, "../../features");

/** What stands in a folder of SQL, in the order in which it is applied. */
const NUMBERED = "migrations";
const REPEATABLE = ["functions", "triggers", "grants"] as const;

export type SchemaFile = { readonly name: string; readonly sql: string; readonly sha256: string };

/**
 * The schema as files. `numbered` ones make tables, types and indexes, each once and in order; `repeatable` ones are
 * functions, triggers and at last grants, applied again whenever they change. A numbered file calls no function of a
 * repeatable one: on an empty database there is none yet.
 */
export type Schema = StoredVersion & {
  readonly numbered: readonly SchemaFile[];
  readonly repeatable: readonly SchemaFile[];
};

/**
 * Reads the schema: this folder's, and after it the `sql` folder of each feature that has one. A file is named by its
 * feature and its path there.
 */
export async function readSchema(): Promise<Schema> {
  const rooms = (await findRooms([FEATURES]))
    .map((room) => join(room, "sql"))
    .filter((sql) => existsSync(sql));
  const folders = [
    { prefix: "", path: import.meta.dirname },
    ...rooms.map((path) => ({ prefix: `${path.split(/[/\\]/).at(-2)}/`, path })),
  ];
  const numbered: SchemaFile[] = [];
  for (const { prefix, path } of folders) numbered.push(...(await filesOf(join(path, NUMBERED), prefix)));
  const repeatable: SchemaFile[] = [];
  for (const kind of REPEATABLE) {
    for (const { prefix, path } of folders) {
      repeatable.push(...(await filesOf(join(path, kind), `${prefix}${kind}/`)));
    }
  }
  return { version: SCHEMA_VERSION, oldestProgram: OLDEST_PROGRAM, numbered, repeatable };
}

async function filesOf(folder: string, prefix: string): Promise<SchemaFile[]> {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), "utf8");
      return { name: `${prefix}${name}`, sql, sha256: sha256Hex(sql) };
    }),
  );
}
