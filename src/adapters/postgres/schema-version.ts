import pg from "pg";
import { openDatabase } from "./database.ts";

/** The version of the schema that this program is written for; one more with each release that changes it. */
export const SCHEMA_VERSION = 1;

/**
 * The oldest program, as the version of its schema, that may still run on this one. It stays behind for a release when
 * something is taken away, so that processes can be replaced one after another.
 */
export const OLDEST_PROGRAM = 1;

/** The role that the service runs as once the schema stands; see `grants/0_application_role.sql`. */
const APP_ROLE = "meshforge_app";

/** What PostgreSQL calls a table that is not there. */
const UNDEFINED_TABLE = "42P01";

export type StoredVersion = { readonly version: number; readonly oldestProgram: number };

type Query = (sql: string) => Promise<readonly { version: number; oldest_program: number }[]>;

/** What a database says of its schema; null where there is none. */
export async function storedVersion(query: Query): Promise<StoredVersion | null> {
  try {
    const [row] = await query("select version, oldest_program from schema_version");
    return row === undefined ? null : { version: row.version, oldestProgram: row.oldest_program };
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return null;
    throw error;
  }
}

/** Throws, in one line that says what to do, where a program must not run on a schema. A newer schema may well do. */
export function checkVersion(stored: StoredVersion | null, program: number = SCHEMA_VERSION): void {
  if (stored === null) throw new Error("This database has no schema: run `meshforge migrate` first.");
  const { version, oldestProgram } = stored;
  if (version < program) {
    throw new Error(
      `The schema of this database has version ${version}, and this program needs ${program}: run \`meshforge migrate\` first.`,
    );
  }
  if (oldestProgram > program) {
    throw new Error(
      `The schema of this database has version ${version}, on which programs from version ${oldestProgram} on may run, and this one has ${program}: bring the program up to date.`,
    );
  }
}

/**
 * Joins a database before a process serves on it: its schema must fit. Gives the role to run as: the restricted one
 * where the owner could make it, else null (the owner itself).
 */
export async function joinDatabase(url: string): Promise<string | null> {
  const db = openDatabase({ url, role: null, maxConnections: 1, applicationName: "meshforge" });
  try {
    checkVersion(await storedVersion((sql) => db.query(sql)));
    const rows = await db.query(
      "select from pg_roles where rolname = $1 and pg_has_role(current_user, rolname, 'member')",
      [APP_ROLE],
    );
    return rows.length > 0 ? APP_ROLE : null;
  } finally {
    await db.close();
  }
}
