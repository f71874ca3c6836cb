import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase, type Database } from "../../src/adapters/postgres/database.ts";
import { listKeys } from "../../src/core/accounts/api-keys.ts";
import { readAccount, readBalances } from "../../src/core/accounts/accounts.ts";
import { CALL_STATES, listCalls, readCalls } from "../../src/core/calls/call.ts";
import { readEvents } from "../../src/core/streams/events.ts";
import { readPools } from "../../src/core/calls/pool-stats.ts";
import type { Row } from "../../src/core/db.ts";
import { readLedger } from "../../src/core/ledger/ledger.ts";
import { LIMITS } from "../../src/core/limits.ts";
import { readMind } from "../../src/core/memory/mind.ts";
import { listDeliveries } from "../../src/core/webhooks/deliveries.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { makeHistory } from "../support/history.ts";
import { makeCapability, openAccount, settle } from "./support.ts";

const HISTORY = 30_000;
const WAITING = 500;
/** Rows that one read may touch, counted once for each index and table it is seen in. */
const ROWS_PER_READ = 3 * LIMITS.pageScanRows;

let database: TestDatabase;
let app: Database;
let account: string;
let calls: string[];
beforeAll(async () => {
  database = await createTestDatabase();
  // One connection, as a busy process keeps it for days: its plans are made while the tables are empty.
  app = openDatabase({
    url: database.url,
    role: "meshforge_app",
    lookUpsOnly: true,
    maxConnections: 1,
    applicationName: "test",
  });
  account = (await openAccount(database.owner, 1_000_000_000)).id;
  for (const [, read] of reads("call_none")) await read();
  calls = await makeHistory(database.url, account, HISTORY);
}, 120_000);
afterAll(async () => {
  await app.close();
  expect(await database.violations()).toBe(0);
  await database.drop();
});

/** Every read that an account or an operator may ask for over HTTP, first and later pages, with every filter. */
function reads(middle: string): readonly (readonly [string, () => Promise<unknown>])[] {
  const limit = LIMITS.pageRows;
  const list = (what: string, filter: object) =>
    [`calls, ${what}`, () => listCalls(app, account, { limit, ...filter })] as const;
  return [
    ["the account", () => readAccount(app, account)],
    ["its balances", () => readBalances(app, account)],
    ["its mind", () => readMind(app, account)],
    ["its keys", () => listKeys(app, account)],
    ["the ledger", () => readLedger(app, account, { limit })],
    ["the ledger in dollars", () => readLedger(app, account, { limit, currency: "USD" })],
    ["the ledger further back", () => readLedger(app, account, { limit, before: "led_0000000000001000" })],
    ["one call", () => readCalls(app, [middle])],
    ["its events", () => readEvents(app, middle, 0, 100)],
    ["deliveries", () => listDeliveries(app, account, { limit })],
    ["the pools", () => readPools(app)],
    list("all", {}),
    list("further back", { before: middle }),
    ...CALL_STATES.map((state) => list(state, { state })),
    ...CALL_STATES.map((state) => list(`${state}, further back`, { state, before: middle })),
    list("of a capability", { slug: "t-rare" }),
    list("of one that is not there", { slug: "t-none" }),
    list("of an Idempotency-Key", { idempotencyKey: "none" }),
  ];
}

/** Rows and index entries that all connections together have read so far, in this database. */
async function rowsTouched(): Promise<number> {
  await app.query("select pg_stat_force_next_flush()");
  await app.query("select 1");
  const [row] = await database.owner.query<{ rows: number }>(
    `select (select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) from pg_stat_user_tables)
          + (select sum(idx_tup_read) from pg_stat_user_indexes) as rows`,
  );
  return row?.rows ?? Number.NaN;
}

describe("no read grows with history", () => {
  it.each(reads("").map(([what], nth) => [what, nth] as const))(
    "%s, with plans made while there was none and before the server has gathered statistics",
    async (_what, nth) => {
      const middle = calls[calls.length / 2] ?? "";
      const before = await rowsTouched();
      await reads(middle)[nth]?.[1]();
      const rows = (await rowsTouched()) - before;
      expect(rows).toBeLessThan(ROWS_PER_READ);
    },
  );

  it("nor does any of them once there are statistics, of a server where one account has nearly all there is", async () => {
    await database.owner.query("analyze");
    const lonely = (await openAccount(database.owner, 5)).id;
    const before = await rowsTouched();
    const page = await listCalls(app, lonely, { limit: LIMITS.pageRows });
    const ledger = await readLedger(app, lonely, { limit: LIMITS.pageRows });
    expect([page.calls, ledger.length]).toEqual([[], 1]);
    expect((await rowsTouched()) - before).toBeLessThan(ROWS_PER_READ);
    for (const [what, read] of reads(calls[100] ?? "")) {
      const start = await rowsTouched();
      await read();
      expect((await rowsTouched()) - start, what).toBeLessThan(ROWS_PER_READ);
    }
  });

  it("and yet finds everything, page after page, also where a page is short", async () => {
    const found: string[] = [];
    let pages = 0;
    for (let before: string | null | undefined; before !== null; pages++) {
      const page = await listCalls(app, account, {
        slug: "t-rare",
        limit: 20,
        ...(before === undefined ? {} : { before }),
      });
      expect(page.calls.length).toBeLessThanOrEqual(20);
      found.push(...page.calls.map(({ id }) => id));
      before = page.nextBefore;
    }
    const rare = await database.owner.query<Row & { id: string }>(
      "select id from calls where slug = 't-rare' order by id desc",
    );
    expect(rare.length).toBeGreaterThan(20);
    expect(found).toEqual(rare.map(({ id }) => id));
    expect(pages).toBeGreaterThanOrEqual(HISTORY / LIMITS.pageScanRows);
  });

  it("nor with what waits in the account's queue, of which each call has its place", async () => {
    const { id, keyId } = await openAccount(database.owner, 1_000_000);
    await makeCapability(database.owner);
    await settle(
      database.owner,
      Array.from({ length: WAITING }, () => ({ account_id: id, key_id: keyId })),
    );
    const before = await rowsTouched();
    const { calls: newest, nextBefore } = await listCalls(app, id, { state: "queued", limit: 100 });
    expect((await rowsTouched()) - before).toBeLessThan(ROWS_PER_READ);
    expect(newest.map(({ queue }) => queue?.position)).toEqual(
      Array.from({ length: 100 }, (_, nth) => WAITING - nth),
    );
    const next = await listCalls(app, id, { limit: 1, before: nextBefore ?? "" });
    expect(next.calls[0]?.queue?.position).toBe(WAITING - 100);
  });
});
