import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { sha256Hex } from "../../core/canonical.ts";
import { openDatabase } from "./database.ts";

const MIGRATIONS = join(import.meta.dirname, "migrations");
/** Any fixed number will do: those who migrate at the same time follow one another. */
const LOCK = 7_316_424;

/** The role that the service runs as once the schema stands; see `0005_application_role.sql`. */
const APP_ROLE = "meshforge_app";

/** Brings the schema up to date: each file of `migrations/` once, in order, each in a transaction. Returns the new ones. */
export async function migrate(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: "meshforge migrate" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    await client.query(
      `create table if not exists migrations (name text primary key, ran_at timestamptz not null default now());
       alter table migrations add column if not exists sha256 text`,
    );
    const { rows } = await client.query<{ name: string; sha256: string | null }>(
      "select name, sha256 from migrations",
    );
    const ran = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
    const fresh: string[] = [];
    for (const file of (await readdir(MIGRATIONS)).filter((name) => name.endsWith(".sql")).sort()) {
      const sql = await readFile(join(MIGRATIONS, file), "utf8");
      if (!ran.has(file)) {
        await run(client, file, sql);
        fresh.push(file);
      } else if (ran.get(file) !== sha256Hex(sql)) throw changed(file);
    }
    return fresh;
  } finally {
    await client.end();
  }
}

/** What was never released may change; a database made before the change cannot be brought along. */
const changed = (file: string): Error =>
  new Error(
    `The database was made by another, unreleased version: its migration ${file} is not this one. Start with an empty DATA_DIR or database.`,
  );

async function run(client: pg.Client, file: string, sql: string): Promise<void> {
  try {
    await client.query("begin");
    await client.query(sql);
    await client.query("insert into migrations (name, sha256) values ($1, $2)", [file, sha256Hex(sql)]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`migration ${file}: ${why}`, { cause: error });
  }
}

/** The role to run as: the restricted one where the owner could make it, else null (the owner itself). */
export async function applicationRole(url: string): Promise<string | null> {
  const db = openDatabase({ url, role: null, maxConnections: 1, applicationName: "meshforge" });
  try {
    const rows = await db.query(
      "select from pg_roles where rolname = $1 and pg_has_role(current_user, rolname, 'member')",
      [APP_ROLE],
    );
    return rows.length > 0 ? APP_ROLE : null;
  } finally {
    await db.close();
  }
}
