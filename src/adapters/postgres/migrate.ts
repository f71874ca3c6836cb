import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { LIMITS } from "../../core/limits.ts";
import { readSchema, type Schema, type SchemaFile } from "./schema-files.ts";
import { type StoredVersion, storedVersion } from "./schema-version.ts";

/** Any fixed number will do: those who migrate at the same time follow one another. */
const LOCK = 7_316_424;
const LOCK_DEADLINE_MS = 120_000;
const LOCK_EVERY_MS = 200;

/** A migration that waits for a table makes all others wait behind it, so it gives up soon and tries again. */
const TABLE_LOCK_TIMEOUT_MS = 2_000;
const TABLE_LOCK_TRIES = 30;
const TABLE_LOCK_PAUSE_MS = 500;
const LOCK_NOT_AVAILABLE = "55P03";

/** First line of a numbered file that holds one `create index concurrently if not exists` and nothing else. */
const CONCURRENTLY = /^-- concurrently\n/;
const INDEX_NAME = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)/i;

/** What ran, and which version of the schema stands. */
const BOOKS = `
  create table if not exists migrations (
    name text primary key, sha256 text not null, ran_at timestamptz not null default now());
  create table if not exists schema_version (
    only_row boolean primary key default true check (only_row),
    version integer not null,
    oldest_program integer not null)`;

/** The names of the numbered files that ran, and of the repeatable ones that were applied. */
export type Migrated = { readonly ran: readonly string[]; readonly applied: readonly string[] };

/**
 * Brings the schema up to date: each numbered file once, in order and in a transaction of its own; then what changed
 * of the functions, triggers and grants, in one. Several may ask at once: one does it, and the others find it done.
 * Refuses a schema that is newer than the one it would make.
 */
export async function migrate(url: string, schema?: Schema): Promise<Migrated> {
  const { numbered, repeatable, ...version } = schema ?? (await readSchema());
  const client = new pg.Client({ connectionString: url, application_name: "meshforge migrate" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await takeLock(client);
    await client.query(BOOKS);
    const stored = await storedVersion(async (sql) => (await client.query(sql)).rows);
    if (stored !== null && stored.version > version.version) throw newer(stored, version);
    const { rows } = await client.query<{ name: string; sha256: string | null }>(
      "select name, sha256 from migrations",
    );
    const done = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
    for (const { name, sha256 } of numbered) {
      if (done.has(name) && done.get(name) !== sha256) throw changed(name);
    }
    const due = numbered.filter(({ name }) => !done.has(name));
    for (const file of due) await runNumbered(client, file);
    const applied = toApply(repeatable, done);
    const isNoted = stored?.version === version.version && stored.oldestProgram === version.oldestProgram;
    if (applied.length > 0 || !isNoted) await applyAll(client, applied, version);
    await client.query("select make_partitions($1)", [LIMITS.partitionsAheadWeeks]);
    return { ran: namesOf(due), applied: namesOf(applied) };
  } finally {
    await client.end();
  }
}

const namesOf = (files: readonly SchemaFile[]): string[] => files.map(({ name }) => name);

/** By trying: who waits inside the server holds a snapshot, for which a concurrent index would wait in turn. */
async function takeLock(client: pg.Client): Promise<void> {
  for (const giveUpAt = performance.now() + LOCK_DEADLINE_MS; performance.now() < giveUpAt;) {
    const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [LOCK]);
    if (rows[0]?.mine === true) return;
    await sleep(LOCK_EVERY_MS);
  }
  throw new Error(`Another migration of this database has been under way for ${LOCK_DEADLINE_MS} ms.`);
}

const newer = (stored: StoredVersion, own: StoredVersion): Error =>
  new Error(
    `The schema of this database has version ${stored.version}, and this program knows none after ${own.version}: migrate with the newer program.`,
  );

/** What was never released may change; a database made before the change cannot be brought along. */
const changed = (file: string): Error =>
  new Error(
    `The database was made by another, unreleased version: its migration ${file} is not this one. Start with an empty DATA_DIR or database.`,
  );

/** The files that changed, and with any of them all grants: what is dropped to be made anew loses its own. */
function toApply(
  repeatable: readonly SchemaFile[],
  done: ReadonlyMap<string, string | null>,
): readonly SchemaFile[] {
  const isChanged = ({ name, sha256 }: SchemaFile): boolean => done.get(name) !== sha256;
  if (!repeatable.some(isChanged)) return [];
  return repeatable.filter((file) => isChanged(file) || /(^|\/)grants\//.test(file.name));
}

async function runNumbered(client: pg.Client, file: SchemaFile): Promise<void> {
  if (CONCURRENTLY.test(file.sql)) return await indexConcurrently(client, file);
  await inTransaction(client, file.name, async () => {
    await client.query(file.sql);
    await note(client, file);
  });
}

async function applyAll(
  client: pg.Client,
  files: readonly SchemaFile[],
  { version, oldestProgram }: StoredVersion,
): Promise<void> {
  // Functions name one another in any order.
  await inTransaction(client, "functions, triggers and grants", async () => {
    await client.query("set local check_function_bodies = off");
    for (const file of files) {
      await named(file.name, () => client.query(file.sql));
      await note(client, file);
    }
    await client.query(
      `insert into schema_version (version, oldest_program) values ($1, $2)
       on conflict (only_row) do update set version = excluded.version, oldest_program = excluded.oldest_program`,
      [version, oldestProgram],
    );
  });
}

/** An index that was interrupted stays behind, invalid, and under its name. */
async function indexConcurrently(client: pg.Client, file: SchemaFile): Promise<void> {
  const index = INDEX_NAME.exec(file.sql)?.[1];
  if (index === undefined)
    throw new Error(`migration ${file.name}: it must create one index concurrently if not exists`);
  await named(file.name, async () => {
    const { rows } = await client.query(
      "select from pg_index where indexrelid = to_regclass(quote_ident($1)) and not indisvalid",
      [index],
    );
    if (rows.length > 0) await client.query(`drop index concurrently ${index}`);
    await client.query(file.sql);
    await note(client, file);
  });
}

async function note(client: pg.Client, { name, sha256 }: SchemaFile): Promise<void> {
  await client.query(
    `insert into migrations (name, sha256) values ($1, $2)
     on conflict (name) do update set sha256 = excluded.sha256, ran_at = excluded.ran_at`,
    [name, sha256],
  );
}

/** Acts in a transaction, again while the tables are held by others. */
async function inTransaction(client: pg.Client, name: string, act: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await client.query("begin");
      await client.query(`set local lock_timeout = ${TABLE_LOCK_TIMEOUT_MS}`);
      await named(name, act);
      await client.query("commit");
      return;
    } catch (error) {
      await client.query("rollback");
      if (codeOf(error) !== LOCK_NOT_AVAILABLE || tries === TABLE_LOCK_TRIES) throw error;
    }
    await sleep(TABLE_LOCK_PAUSE_MS);
  }
}

/** Says which file an error belongs to. */
async function named<T>(name: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`migration ${name}: ${why}`, { cause: error });
  }
}

class MigrationError extends Error {}

const codeOf = (error: unknown): unknown =>
  error instanceof MigrationError ? (error.cause as { code?: unknown } | undefined)?.code : undefined;
