import { afterAll, beforeAll, expect, it } from "vitest";
import type { Db } from "../../src/core/db.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { until } from "../support/until.ts";
import { makeCapability, openAccount, openSession, settle, settleOne } from "./support.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await makeCapability(database.owner);
});
afterAll(async () => {
  expect(await database.violations()).toBe(0);
  await database.drop();
});

/** Charges the account in a transaction that stays open until another session waits for it, and then commits. */
async function whileCharging<T>(accountId: string, act: () => Promise<T>): Promise<T> {
  const session = await openSession(database.url);
  const db: Db = {
    query: async (sql, params = []) => (await session.query(sql, [...params])).rows,
  };
  try {
    await session.query("begin");
    await settleOne(db, { account_id: accountId, state: "succeeded" });
    const acted = act();
    // Should it fail before it waits, it fails the test below.
    acted.catch(() => undefined);
    await until(waits);
    await session.query("commit");
    return await acted;
  } finally {
    await session.end();
  }
}

async function waits(): Promise<boolean> {
  const waiting = await database.owner.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return waiting.length > 0;
}

async function balance(accountId: string): Promise<number | undefined> {
  const [held] = await database.owner.query<{ amount: number }>(
    "select amount from balances where account_id = $1 and currency = 'MESH'",
    [accountId],
  );
  return held?.amount;
}

it("a charge goes on from the balance that a charge at the same time leaves", async () => {
  const { id } = await openAccount(database.owner, 100);
  const settled = await whileCharging(id, () => settle(database.app, [{ account_id: id }]));
  expect(settled).toMatchObject([{ verdict: "accepted", balance: 90 }]);
  expect(await balance(id)).toBe(90);
});

it("a charge that another has just left no money for is refused", async () => {
  const { id } = await openAccount(database.owner, 9);
  const settled = await whileCharging(id, () => settle(database.app, [{ account_id: id }]));
  expect(settled).toMatchObject([{ verdict: "insufficient_funds", balance: 4 }]);
  expect(await balance(id)).toBe(4);
});

it("a refund goes on from the balance that a charge at the same time leaves", async () => {
  const { id } = await openAccount(database.owner, 100);
  const call = await settleOne(database.owner, { account_id: id });
  const cancelled = await whileCharging(id, () =>
    database.app.query("select verdict from cancel_call($1, $2)", [call, id]),
  );
  expect(cancelled).toEqual([{ verdict: "cancelled" }]);
  expect(await balance(id)).toBe(95);
});

it("a grant goes on from the balance that a charge at the same time leaves", async () => {
  const { id } = await openAccount(database.owner, 100);
  const booked = await whileCharging(id, () =>
    database.app.query("select verdict, balance from post_entry($1, 'MESH', 'grant', 10, null, null)", [id]),
  );
  expect(booked).toEqual([{ verdict: "booked", balance: 105 }]);
  expect(await balance(id)).toBe(105);
});
