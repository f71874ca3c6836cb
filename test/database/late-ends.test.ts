import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { claim, end, makeCapability, openAccount, settleOne } from "./support.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await makeCapability(database.owner);
});
afterAll(async () => {
  expect(await database.violations()).toBe(0);
  await database.drop();
});

async function runningPast(column: string): Promise<{ id: string; attempt: number; accountId: string }> {
  const { id: accountId } = await openAccount(database.owner, 10);
  const id = await settleOne(database.app, { account_id: accountId });
  const call = (await claim(database.app, "w")).find((one) => one.id === id);
  if (call === undefined) throw new Error("the call was not claimed");
  await database.owner.query(
    `update calls set ${column} = clock_now() - interval '1 millisecond' where id = $1`,
    [id],
  );
  return { ...call, accountId };
}

const stateOf = async (id: string): Promise<string | undefined> =>
  (await database.owner.query<{ state: string }>("select state from calls where id = $1", [id]))[0]?.state;

it.each(["run_until", "deadline_at"])(
  "drops what a worker brings after its %s, though no sweep has seen it yet",
  async (column) => {
    for (const state of ["succeeded", "failed"]) {
      const { accountId: _, ...call } = await runningPast(column);
      expect(await end(database.app, [{ ...call, worker: "w", state }])).toEqual([
        { id: call.id, verdict: "stale" },
      ]);
      expect(await stateOf(call.id)).toBe("running");
      await end(database.app, [{ ...call, worker: "w", state: "expired" }]);
    }
  },
);

it.each([
  ["run_until", "expired"],
  ["deadline_at", "expired"],
  ["run_until", "cancelled"],
])("lets a worker say after its %s that the call is %s, and gives the price back", async (column, state) => {
  const { accountId, ...call } = await runningPast(column);
  expect(await end(database.app, [{ ...call, worker: "w", state }])).toEqual([
    { id: call.id, verdict: "ended" },
  ]);
  expect(await stateOf(call.id)).toBe(state);
  const balance = "select amount from balances where account_id = $1 and currency = 'MESH'";
  expect(await database.owner.query(balance, [accountId])).toEqual([{ amount: 10 }]);
});
