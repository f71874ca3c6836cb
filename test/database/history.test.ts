import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase, type Database } from "../../src/adapters/postgres/database.ts";
import { createKey, listKeys } from "../../src/core/accounts/api-keys.ts";
import { readBalances } from "../../src/core/accounts/accounts.ts";
import { readStatement } from "../../src/core/accounts/statement.ts";
import { CALL_STATES, listCalls, readCalls } from "../../src/core/calls/call.ts";
import { readEvents } from "../../src/core/streams/events.ts";
import { readPools } from "../../src/core/calls/pool-stats.ts";
import type { Row } from "../../src/core/db.ts";
import { AppError } from "../../src/core/errors.ts";
import { readLedger } from "../../src/core/ledger/ledger.ts";
import { LIMITS } from "../../src/core/limits.ts";
import { listDeliveries } from "../../src/core/webhooks/deliveries.ts";
import { listLeads } from "../../src/features/trades/instant-receptionist/leads.ts";
import { listPages } from "../../src/features/trades/instant-receptionist/pages.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { makeHistory } from "../support/history.ts";
import { makeCapability, openAccount, settle } from "./support.ts";
import { until } from "../support/until.ts";

const HISTORY = 30_000;
const WAITING = 500;
/** Keys, reception pages, and leads. */
const LISTS = 8_000;
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
  for (const [, read] of reads("call_none")) await read().catch(ifNoCursor);
  await makeLists();
  calls = await makeHistory(database.url, account, HISTORY);
  await untilAllIsCounted();
});

/** What made the history has told what it read: a connection does so when it ends, which is after its client has gone. */
async function untilAllIsCounted(): Promise<void> {
  const others = `select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
                     and application_name not in ('test', 'test app', 'test owner')`;
  await until(async () => (await database.owner.query(others)).length === 0);
  // Each of the owner's connections: they sleep long enough that none is used twice.
  const told = Array.from({ length: 4 }, () =>
    database.owner.query("select pg_stat_force_next_flush(), pg_sleep(1)"),
  );
  await Promise.all(told);
}
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
    ["the account", () => readStatement(app, account)],
    ["its balances", () => readBalances(app, account)],
    ["its keys", () => listKeys(app, account)],
    ["a further key", () => createKey(app, { accountId: account, keyId: null }, KEY)],
    ["a key that is one too many", () => oneTooMany()],
    ["its reception pages", () => listPages(app, account, { limit })],
    ["its reception pages further back", () => listPages(app, account, { limit, before: pageId })],
    ["the leads of one", () => leadsOf({ limit })],
    ["the leads of one further back", () => leadsOf({ limit, before: `lead_${"8".repeat(32)}` })],
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

const KEY = { name: "k", expiresAt: null, spendLimit: null };
const PAGE = "h-page-1";
/** The page in the middle, once there are some. */
let pageId = "rcp_none";

/** Before there is any page, its leads are not found. */
const leadsOf = (page: { readonly limit: number; readonly before?: string }) =>
  listLeads(app, account, PAGE, page).catch(ifNotFound);

/** With keys enough that were never revoked, one more is refused. */
async function oneTooMany(): Promise<void> {
  const [first] = await listKeys(app, account);
  await createKey(app, { accountId: account, keyId: first?.id ?? "" }, KEY).catch(() => undefined);
}

/** What is read while there is nothing is no row that one could go on from. */
function ifNoCursor(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== "invalid_input") throw error;
}

function ifNotFound(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== "not_found") throw error;
}

/** Gives the account keys, nearly all revoked, reception pages and leads of one of them. */
async function makeLists(): Promise<void> {
  const made = await database.owner.query<{ id: string }>(
    `with keys as (
       insert into api_keys (id, account_id, name, prefix, sha256, revoked_at)
       select 'key_' || md5(n::text), $1, 'k', 'mf_test', decode(md5('k' || n), 'hex'),
              case when n % 100 > 0 then clock_now() end from generate_series(1, ${LISTS}) n),
     pages as (
       insert into receptionists (slug, call_id, account_id, vertical, business)
       select 'h-page-' || n, 'call_' || md5(n::text), $1, 'dental', 'b' from generate_series(1, ${LISTS}) n
       returning call_id)
     select replace(call_id, 'call_', 'rcp_') as id from pages order by call_id offset ${LISTS / 2} limit 1`,
    [account],
  );
  pageId = made[0]?.id ?? "";
  await database.owner.query(
    `insert into receptionist_leads (id, slug, name, answers)
     select 'lead_' || md5(n::text), 'h-page-' || (1 + n % 2), 'n', '[]' from generate_series(1, ${LISTS}) n`,
  );
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
