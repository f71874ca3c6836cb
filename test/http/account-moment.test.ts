import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

const LOOKS = 150;
const CALLERS = 6;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

it("shows the balance of its newest entry, while calls are charged and refunded", async () => {
  const { key } = await platform.account(1_000_000);
  let isDone = false;
  let calls = 0;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!isDone) {
      const body = { mode: calls++ % 2 === 0 ? "echo" : "fault" };
      await platform.request("POST", "/api/call/test-inline", { key, body });
    }
  });
  const torn: unknown[] = [];
  for (let n = 0; n < LOOKS; n++) {
    const { body } = await platform.request("GET", "/api/account", { key });
    const newest = body.ledger.find(({ currency }: { currency: string }) => currency === "MESH");
    if (newest.balance_after !== body.balance || body.balances.MESH !== body.balance)
      torn.push([body.balance, newest]);
  }
  isDone = true;
  await Promise.all(callers);
  expect(torn).toEqual([]);
  expect(calls).toBeGreaterThan(CALLERS);
});
