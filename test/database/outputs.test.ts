import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readCalls } from "../../src/core/calls/call.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { claim, end, makeCapability, openAccount, settle } from "./support.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await makeCapability(database.owner);
});
afterAll(async () => {
  expect(await database.violations()).toBe(0);
  await database.drop();
});

async function outputsOf(ids: readonly string[]): Promise<(string | null)[]> {
  const outputs = new Map((await readCalls(database.app, ids)).map(({ id, output }) => [id, output]));
  return ids.map((id) => outputs.get(id) ?? null);
}

/** Texts of many lengths in bytes, which are not their lengths in characters; some shrink when they are packed. */
const OUTPUTS = [
  '"a\\nb"',
  '"\u2028\u0085"',
  `"${"x".repeat(12_000)}"`,
  `"${"\u00e4\u{1f600}".repeat(2_000)}"`,
  '"\\u0000"',
  JSON.stringify(randomBytes(9_000).toString("base64")),
  '""',
  '"\\\\n,{}\\""',
  "null",
];

it("each settled call keeps its own output, among those that have none and those that are refused", async () => {
  const { id: account_id } = await openAccount(database.owner, 1_000);
  const { id: poor } = await openAccount(database.owner, 0);
  const items = OUTPUTS.flatMap((output) => [
    { account_id, state: "queued" as const },
    { account_id, state: "succeeded" as const, output },
    { account_id: poor, state: "succeeded" as const, output: '"unpaid"' },
    { account_id, state: "failed" as const },
  ]);
  const settled = (await settle(database.app, items)).toSorted((a, b) => a.ord - b.ord);
  const paid = settled.filter(({ verdict }) => verdict === "accepted").map(({ call_id }) => call_id);
  expect(await outputsOf(paid)).toEqual(OUTPUTS.flatMap((output) => [null, output, null]));
  const worker = "w";
  const claimed = await claim(database.app, worker);
  const ends = claimed.toReversed().map((call, nth) => ({
    ...call,
    worker: nth % 3 === 2 ? "another" : worker,
    ...(nth % 3 === 1 ? { state: "failed" } : { state: "succeeded", output: OUTPUTS[nth] ?? "" }),
  }));
  await end(database.app, ends);
  expect(await outputsOf(ends.map(({ id }) => id))).toEqual(
    OUTPUTS.map((output, nth) => (nth % 3 === 0 ? output : null)),
  );
});
