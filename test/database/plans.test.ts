import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase } from "../../src/adapters/postgres/database.ts";
import { readCalls } from "../../src/core/calls/call.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { claim, end, makeCapability, openAccount, settle } from "./support.ts";
import { letPass } from "../support/let-pass.ts";

const HISTORY = 6_000;
const AT_ONCE = 12;
/** Rows and index entries that one call may touch, from its settling to the reading of its end. */
const ROWS_PER_CALL = 300;
/** The server's own statistics are brought up to date at this pace, by each connection. */
const STATISTICS_MS = 1_100;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await makeCapability(database.owner);
});
afterAll(async () => {
  expect(await database.violations()).toBe(0);
  await database.drop();
});

const connect = (role: string | null) =>
  openDatabase({
    url: database.url,
    role,
    lookUpsOnly: role !== null,
    maxConnections: 1,
    applicationName: "test",
  });

it("touches a handful of rows for a call however many there are, also over a connection that planned while there were none", async () => {
  // One connection, as a busy process keeps it for days.
  const app = connect("meshforge_app");
  const accounts: string[] = [];
  for (let n = 0; n < AT_ONCE; n++) accounts.push((await openAccount(database.owner, 1_000_000)).id);
  const round = async (): Promise<void> => {
    await settle(
      app,
      accounts.map((account_id) => ({ account_id })),
    );
    const claimed = await claim(app, "w");
    await end(
      app,
      claimed.map((call, n) => ({ ...call, worker: "w", state: n % 3 === 0 ? "failed" : "succeeded" })),
    );
    await readCalls(
      app,
      claimed.map(({ id }) => id),
    );
  };
  // Often enough for every statement to have kept a plan.
  for (let n = 0; n < 10; n++) await round();
  const other = connect(null);
  for (let n = 0; n < HISTORY / 60; n++) {
    await settle(
      other,
      Array.from({ length: 60 }, (_, k) => ({
        account_id: accounts[k % AT_ONCE] as string,
        state: "succeeded" as const,
      })),
    );
  }
  // What a connection has counted is surely told when it ends.
  await other.close();
  const touched = async (): Promise<number> => {
    await letPass(STATISTICS_MS);
    await app.query("select pg_stat_force_next_flush()");
    const [row] = await database.owner.query<{ rows: number }>(
      `select (select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) from pg_stat_user_tables)
            + (select sum(idx_tup_read) from pg_stat_user_indexes) as rows`,
    );
    return row?.rows ?? Number.NaN;
  };
  const before = await touched();
  await round();
  const rows = (await touched()) - before;
  await app.close();
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThan(ROWS_PER_CALL * AT_ONCE);
});
