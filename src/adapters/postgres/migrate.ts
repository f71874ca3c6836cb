import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
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
      "create table if not exists migrations (name text primary key, ran_at timestamptz not null default now())",
    );
    const ran = new Set(
      (await client.query<{ name: string }>("select name from migrations")).rows.map(({ name }) => name),
    );
    const files = (await readdir(MIGRATIONS))
      .filter((file) => file.endsWith(".sql") && !ran.has(file))
      .sort();
    for (const file of files) await runFile(client, file);
    return files;
  } finally {
    await client.end();
  }
}

async function runFile(client: pg.Client, file: string): Promise<void> {
  const sql = await readFile(join(MIGRATIONS, file), "utf8");
  try {
    await client.query("begin");
    await client.query(sql);
    await client.query("insert into migrations (name) values ($1)", [file]);
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
