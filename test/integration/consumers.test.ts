import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ClaimedCall } from "../../src/core/calls/dispatch.ts";
import type { Pool } from "../../src/core/catalog/define.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { letPass } from "../support/let-pass.ts";
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
  warnings: [],
  waitedMs: 0,
  parentId: null,
  leftMs: 1_000,
});

/** Consumes a pool whose claims give what waits in `backlog`. A claim takes as long as `claiming`, a run as `running`. */
async function consume(
  pool: Pool,
  {
    slots,
    backlog,
    claiming = () => turn(),
    running = () => turn(),
  }: {
    slots: number;
    backlog: ClaimedCall[];
    claiming?: (calls: readonly ClaimedCall[]) => Promise<void>;
    running?: () => Promise<void>;
  },
) {
  const seen = { claims: 0, claiming: 0, running: 0, most: 0, ran: [] as string[] };
  const consumer = await platform.runtime.dispatcher.consume(pool, {
    slots,
    claim: async (count) => {
      seen.claims++;
      seen.claiming++;
      const calls = backlog.splice(0, count);
      await claiming(calls);
      seen.claiming--;
      return calls;
    },
    run: async ({ id }) => {
      seen.running++;
      seen.most = Math.max(seen.most, seen.running);
      await running();
      seen.running--;
      seen.ran.push(id);
    },
  });
  return { consumer, seen };
}

it("runs what is announced, never more at once than it has slots", async () => {
  const calls = Array.from({ length: 9 }, (_, i) => callOf(i));
  // Nobody ends before all slots are taken.
  const { promise: full, resolve: go } = Promise.withResolvers<void>();
  const { consumer, seen } = await consume("image", { slots: 3, backlog: [...calls], running: () => full });
  await platform.runtime.dispatcher.announce(
    "image",
    calls.map(({ id }) => id),
  );
  await until(() => seen.running === 3);
  go();
  await until(() => seen.ran.length === 9);
  expect(seen.most).toBe(3);
  expect([...seen.ran].sort()).toEqual(calls.map(({ id }) => id));
  await consumer.stop();
});

it("has handed on all that it claimed when it has stopped, and claims nothing more", async () => {
  for (let round = 0; round < 3; round++) {
    const backlog: ClaimedCall[] = [];
    const [claimed, ran] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { consumer, seen } = await consume("forward", {
      slots: 2,
      backlog,
      claiming: (calls) => (calls.length > 0 ? claimed.promise : turn()),
      running: () => ran.promise,
    });
    const call = callOf(100 + round);
    backlog.push(call);
    await platform.runtime.dispatcher.announce("forward", [call.id]);
    await until(() => backlog.length === 0);
    const stopped = consumer.stop();
    claimed.resolve();
    await stopped;
    expect(seen.running).toBe(1);
    const { claims } = seen;
    await platform.runtime.dispatcher.announce("forward", [call.id]);
    ran.resolve();
    await until(() => seen.ran.length === 1);
    await letPass(200);
    expect(seen.claims).toBe(claims);
  }
});
