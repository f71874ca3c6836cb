import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openArtifactStore } from "../../src/adapters/artifacts/open.ts";
import { OutputStore } from "../../src/core/calls/outputs.ts";
import type { TransactionalDb } from "../../src/core/db.ts";
import { LIMITS } from "../../src/core/limits.ts";
import { createStateSettle, type StateSettlerOptions } from "../../src/core/state/settle-states.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { stateOperation } from "../support/state-operations.ts";
import { openAccount, openSession } from "./support.ts";

let database: TestDatabase;
let outputs: OutputStore;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.owner.query("insert into capabilities (slug, version) values ('test-state', '1.0.0')");
  const settings = { s3: null, dataDir: join(tmpdir(), "meshforge-unused"), baseUrl: "http://localhost" };
  outputs = new OutputStore(await openArtifactStore(settings, database.app, () => undefined));
});
afterAll(async () => {
  expect(await database.violations()).toBe(0);
  await database.drop();
});

const options = (db: TransactionalDb): StateSettlerOptions => ({
  db,
  outputs,
  maxQueuedPerAccount: 10,
  onUnexpected: () => undefined,
});

/** The same database, on which somebody else is always quicker: `overtake` runs between reading and settling. */
function overtaken(overtake: () => Promise<void>): {
  readonly db: TransactionalDb;
  readonly locked: () => number;
} {
  let locked = 0;
  const db: TransactionalDb = {
    query: async (sql, params, rest) => {
      if (sql.includes("settle_calls")) await overtake();
      return await database.app.query(sql, params, rest);
    },
    transaction: async (work) => {
      locked++;
      return await database.app.transaction(work);
    },
  };
  return { db, locked: () => locked };
}

const versionOf = async (key: string): Promise<number | undefined> => {
  const [row] = await database.owner.query<{ version: number }>(
    "select version from documents where key = $1",
    [key],
  );
  return row?.version;
};

async function bodyOf(key: string): Promise<unknown> {
  const [row] = await database.owner.query<{ body: string }>("select body from documents where key = $1", [
    key,
  ]);
  return JSON.parse(row?.body ?? "null");
}

it("decides again what was overtaken, then locks, and refuses nobody", async () => {
  const [mine, other] = [await openAccount(database.owner, 100), await openAccount(database.owner, 100)];
  const settleOther = createStateSettle(options(database.app));
  let overtakings = 0;
  const { db, locked } = overtaken(async () => {
    overtakings++;
    await settleOther(stateOperation(other, { purse: "contended" }));
  });
  const settle = createStateSettle(options(db));
  const settled = await Promise.all(
    Array.from({ length: 5 }, () => settle(stateOperation(mine, { purse: "contended" }))),
  );
  expect(settled.map((one) => (one.refusal === null ? one.verdict.verdict : one.refusal.code))).toEqual(
    settled.map(() => "accepted"),
  );
  expect(overtakings).toBe(LIMITS.decisionsBeforeLock);
  expect(locked()).toBe(1);
  const total = overtakings + settled.length;
  expect(await bodyOf("contended")).toEqual({ changes: total, coins: total });
});

it("refuses on nothing that was not written after all", async () => {
  const [mine, other] = [await openAccount(database.owner, 100), await openAccount(database.owner, 100)];
  const settleOther = createStateSettle(options(database.app));
  let left = 1;
  const { db } = overtaken(async () => {
    if (left-- > 0) await settleOther(stateOperation(other, { purse: "opened and closed", mode: "open" }));
    else if (left === -1)
      await settleOther(stateOperation(other, { purse: "opened and closed", mode: "close" }));
  });
  const settle = createStateSettle(options(db));
  const open = (): ReturnType<typeof settle> =>
    settle(stateOperation(mine, { purse: "opened and closed", mode: "open" }));
  const outcomes = (await Promise.all([open(), open()])).map((one) => one.refusal?.code ?? "accepted");
  // Somebody else's document stood when they were decided again: both are refused, and neither by the other.
  expect(outcomes).toEqual(["purse_exists", "purse_exists"]);
  expect(await versionOf("opened and closed")).toBe(1);
});

it("forgets what was removed long ago, and begins anew then", async () => {
  const mine = await openAccount(database.owner, 100);
  const settle = createStateSettle(options(database.app));
  await settle(stateOperation(mine, { purse: "removed" }));
  await settle(stateOperation(mine, { purse: "removed", mode: "close" }));
  await database.owner.query("select tidy(1000)");
  expect(await versionOf("removed")).toBe(2);
  await database.owner.query(
    "update documents set updated_at = updated_at - interval '2 hours' where key = 'removed'",
  );
  await database.owner.query("select tidy(1000)");
  expect(await versionOf("removed")).toBeUndefined();
  await settle(stateOperation(mine, { purse: "removed" }));
  expect(await versionOf("removed")).toBe(1);
});

it("settles once what is sent again because its answer was lost", async () => {
  const mine = await openAccount(database.owner, 100);
  const operation = stateOperation(mine, { purse: "sent twice" });
  const first = await createStateSettle(options(database.app))(operation);
  const again = await createStateSettle(options(database.app))(operation);
  expect(first).toMatchObject({ verdict: { verdict: "accepted" }, outcome: { state: "succeeded" } });
  expect(again).toMatchObject({
    verdict: { verdict: "accepted", callId: operation.settlement.id },
    outcome: null,
  });
  expect(await versionOf("sent twice")).toBe(1);
});

it("undoes a transaction whose work throws, and lends its connection to nobody", async () => {
  const mine = await openAccount(database.owner, 100);
  const lock = database.app.transaction(async (db) => {
    await db.query("select lock_for_settling($1, $2, $3)", [[mine.id], ["test-purse"], ["thrown"]]);
    throw new Error("thrown while it held the lock");
  });
  await expect(lock).rejects.toThrow("thrown while it held the lock");
  const settle = createStateSettle(options(database.app));
  expect(await settle(stateOperation(mine, { purse: "thrown" }))).toMatchObject({ refusal: null });
});

it("waits for whoever holds the lock of a document that is not there yet", async () => {
  const mine = await openAccount(database.owner, 100);
  const session = await openSession(database.url);
  await session.query("begin");
  await session.query("select lock_documents(array['test-purse'], array['awaited'])");
  let isDone = false;
  const settling = createStateSettle(options(database.app))(stateOperation(mine, { purse: "awaited" })).then(
    () => (isDone = true),
  );
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
  while ((await database.owner.query(waits)).length === 0) expect(isDone).toBe(false);
  await session.query("commit");
  await session.end();
  await settling;
  expect(await versionOf("awaited")).toBe(1);
});
