import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ClaimedCall } from "../../src/core/calls/dispatch.ts";
import type { Pool } from "../../src/core/catalog/define.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { until } from "../support/until.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

const callOf = (n: number): ClaimedCall => ({
  id: `call_${String(n).padStart(32, "0")}`,
  accountId: "acc_of_the_test",
  slug: "test-work",
  version: "1.0.0",
  attempt: 1,
  input: "{}",
  requestId: null,
  traceparent: null,
  waitedMs: 0,
  parentId: null,
  leftMs: 1_000,
});

/** Consumes a pool whose claims take a while and give what waits in `backlog`. */
async function consume(
  pool: Pool,
  { slots, backlog, runMs }: { slots: number; backlog: ClaimedCall[]; runMs: number },
) {
  const seen = { claims: 0, claiming: 0, running: 0, most: 0, ran: [] as string[] };
  const consumer = await platform.runtime.dispatcher.consume(pool, {
    slots,
    claim: async (count) => {
      seen.claims++;
      seen.claiming++;
      const calls = backlog.splice(0, count);
      await sleep(100);
      seen.claiming--;
      return calls;
    },
    run: async ({ id }) => {
      seen.running++;
      seen.most = Math.max(seen.most, seen.running);
      await sleep(runMs);
      seen.running--;
      seen.ran.push(id);
    },
  });
  return { consumer, seen };
}

it("runs what is announced, never more at once than it has slots", async () => {
  const calls = Array.from({ length: 9 }, (_, i) => callOf(i));
  const { consumer, seen } = await consume("image", { slots: 3, backlog: [...calls], runMs: 20 });
  await platform.runtime.dispatcher.announce(
    "image",
    calls.map(({ id }) => id),
  );
  await until(async () => seen.ran.length === 9);
  expect(seen.most).toBeLessThanOrEqual(3);
  expect([...seen.ran].sort()).toEqual(calls.map(({ id }) => id));
  await consumer.stop();
});

it("has handed on all that it claimed when it has stopped, and claims nothing more", async () => {
  for (let round = 0; round < 3; round++) {
    const backlog: ClaimedCall[] = [];
    const { consumer, seen } = await consume("forward", { slots: 2, backlog, runMs: 50 });
    await until(async () => seen.claiming === 0);
    const call = callOf(100 + round);
    backlog.push(call);
    await platform.runtime.dispatcher.announce("forward", [call.id]);
    await until(async () => backlog.length === 0 && seen.claiming > 0);
    await consumer.stop();
    expect(seen.running + seen.ran.length).toBe(1);
    const { claims } = seen;
    await platform.runtime.dispatcher.announce("forward", [call.id]);
    await until(async () => seen.ran.length === 1);
    await sleep(200);
    expect(seen.claims).toBe(claims);
  }
});
