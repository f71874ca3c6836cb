import { afterAll, beforeAll, expect, it } from "vitest";
import { bodyOf } from "../../src/core/calls/prepare.ts";
import type { CallRequest } from "../../src/core/calls/call-request.ts";
import { AppError } from "../../src/core/errors.ts";
import { balance, entries } from "../support/calls.ts";
import { until } from "../support/until.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

const REQUESTS = 10_000;

/** A call as its HTTP route starts it, all of the route's guards behind it. */
function request(accountId: string, slug: string, more: Partial<CallRequest> = {}): CallRequest {
  return {
    caller: { accountId, keyId: "key_of_the_test" },
    surface: "marketplace",
    name: slug,
    body: bodyOf({}),
    waitMs: 0,
    idempotencyKey: null,
    maxPrice: null,
    ...more,
  };
}

/** Starts all at once; tells how many were accepted and how many refused with which code. */
async function startAll(requests: readonly CallRequest[]): Promise<Record<string, number>> {
  const outcomes = await Promise.all(
    requests.map((each) =>
      platform.services.calls.start(each).then(
        ({ replayed }) => (replayed ? "replayed" : "accepted"),
        (error: unknown) => (error instanceof AppError ? error.code : String(error)),
      ),
    ),
  );
  return Object.fromEntries(
    Map.groupBy(outcomes, (outcome) => outcome)
      .entries()
      .map(([name, all]) => [name, all.length]),
  );
}

/** Nothing of an account waits or runs any more. */
async function quiet(accountId: string): Promise<void> {
  await until(async () => {
    const open = await platform.database.owner.query(
      "select from calls where account_id = $1 and ended_at is null limit 1",
      [accountId],
    );
    return open.length === 0;
  });
}

it("accepts exactly 100 of 10,000 concurrent inline calls on a balance for 100", async () => {
  const { id } = await platform.account(100);
  const outcomes = await startAll(Array.from({ length: REQUESTS }, () => request(id, "test-inline")));
  expect(outcomes).toEqual({ accepted: 100, insufficient_funds: REQUESTS - 100 });
  expect(await balance(platform, id)).toBe(0);
  expect(await entries(platform, id)).toHaveLength(100);
});

it("accepts exactly 100 of 10,000 concurrent queued calls on a balance for 100", async () => {
  const { id } = await platform.account(200);
  const outcomes = await startAll(Array.from({ length: REQUESTS }, () => request(id, "test-work")));
  expect(outcomes).toEqual({ accepted: 100, insufficient_funds: REQUESTS - 100 });
  expect(await balance(platform, id)).toBe(0);
  await quiet(id);
  expect(await entries(platform, id)).toHaveLength(100);
});

for (const slug of ["test-inline", "test-work"]) {
  it(`charges 10,000 concurrent requests of ${slug} under 50 keys 50 times`, async () => {
    const { id } = await platform.account(1_000);
    const requests = Array.from({ length: REQUESTS }, (_, i) =>
      request(id, slug, { idempotencyKey: `key ${i % 50}`, body: bodyOf({ text: String(i % 50) }) }),
    );
    const outcomes = await startAll(requests);
    expect(outcomes).toEqual({ accepted: 50, replayed: REQUESTS - 50 });
    await quiet(id);
    expect(await entries(platform, id)).toHaveLength(50);
  });
}

it("never overdraws while refunds come back between the charges", async () => {
  const { id } = await platform.account(20);
  const requests = Array.from({ length: 400 }, (_, i) =>
    request(id, i % 2 === 0 ? "test-inline" : "test-work", {
      body: bodyOf({ mode: i % 4 < 2 ? "throw" : "echo" }),
    }),
  );
  await startAll(requests);
  await quiet(id);
  const [books] = await platform.database.owner.query<{ least: number; spent: number }>(
    `select min(balance_after)::integer as least,
            (select sum(price)::integer from calls where account_id = $1 and state = 'succeeded') as spent
       from ledger where account_id = $1`,
    [id],
  );
  expect(books?.least).toBeGreaterThanOrEqual(0);
  expect(books?.spent).toBeGreaterThan(0);
  expect(await balance(platform, id)).toBe(20 - (books?.spent ?? Number.NaN));
});
