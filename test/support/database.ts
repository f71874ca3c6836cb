import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { type Database, openDatabase } from "../../src/adapters/postgres/database.ts";
import { audit } from "../../src/core/ledger/audit.ts";

export type TestDatabase = {
  /** Logs in as the owner. */
  readonly url: string;
  /** As the owner, for looking and for planting faults. */
  readonly owner: Database;
  /** As the service's own restricted role. */
  readonly app: Database;
  /** How many violations the audit finds. */
  violations(): Promise<number>;
  drop(): Promise<void>;
};

/** A database of the test file's own: migrated, or empty. */
export async function createTestDatabase(
  from: "meshforge_template" | "template0" = "meshforge_template",
): Promise<TestDatabase> {
  const server = inject("databaseUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await onServer(server, `create database ${name} template ${from}`);
  const at = new URL(server);
  at.pathname = `/${name}`;
  const url = at.href;
  const owner = openDatabase({ url, role: null, maxConnections: 4, applicationName: "test owner" });
  const app = openDatabase({
    url,
    role: "meshforge_app",
    lookUpsOnly: true,
    maxConnections: 4,
    applicationName: "test app",
  });
  return {
    url,
    owner,
    app,
    violations: async () => (await audit(owner)).checks.reduce((sum, check) => sum + check.violations, 0),
    drop: async () => {
      await Promise.all([owner.close(), app.close()]);
      await onServer(server, `drop database ${name} with (force)`);
    },
  };
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
