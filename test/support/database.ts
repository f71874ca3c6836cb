import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { type Database, openDatabase } from "../../src/adapters/postgres/database.ts";
import { audit } from "../../src/core/ledger/audit.ts";
import { createOwnDatabase } from "./own-database.ts";

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
  const name = `test_${randomBytes(6).toString("hex")}`;
  const { url, drop } = await createOwnDatabase(inject("databaseUrl"), name, from);
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
      await drop();
    },
  };
}
