import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ClaimedCall } from "../../src/core/calls/dispatch.ts";
import { release, runs } from "../support/capabilities/test-work/handler.ts";
import { begin, ended, entries, running } from "../support/calls.ts";
import { letPass } from "../support/let-pass.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { hasRedisServer, RedisServer } from "../support/redis-server.ts";
import { until } from "../support/until.ts";

const CALLS = 50;
const CALL_EVERY_MS = 15;
const isOnRedis = process.env["TEST_DISPATCH"] === "redis" && hasRedisServer;

/** A Redis of this file's own, which it may flush, freeze and kill. */
describe.skipIf(!isOnRedis)("on a Redis that forgets or goes away", () => {
  let redis: RedisServer;
  let platform: TestPlatform;
  beforeAll(async () => {
    redis = await RedisServer.started();
    platform = await startTestPlatform({ env: { REDIS_URL: redis.url } });
  });
  afterEach(async () => {
    redis.thaw();
    if (redis.cli("ping") !== "PONG") await redis.start();
    await until(async () => platform.runtime.dispatcher.awaySince() === null);
  });
  afterAll(async () => {
    expect(await platform.database.violations()).toBe(0);
    await platform.stop();
    await redis.kill();
  });

  const known = () => until(async () => platform.runtime.dispatcher.awaySince() !== null);

  /** Makes calls, one after the other; gives their ids when all have ended well. */
  async function load({ key }: { readonly key: string }): Promise<string[]> {
    const ids: string[] = [];
    for (let nth = 0; nth < CALLS; nth++) {
      ids.push(await begin(platform, key, "test-work", { mode: "sleep", ms: 20 }));
      await letPass(CALL_EVERY_MS);
    }
    for (const id of ids) expect(await ended(platform, key, id)).toMatchObject({ status: "succeeded" });
    return ids;
  }

  it("runs what waits although the queue was flushed, each call once", async () => {
    const { id, key } = await platform.account(1_000);
    const busy = await Promise.all(
      Array.from({ length: 8 }, () => begin(platform, key, "test-work", { mode: "hold" })),
    );
    for (const callId of busy) await running(platform, callId);
    const waiting = await Promise.all(Array.from({ length: 20 }, () => begin(platform, key, "test-work")));
    expect(redis.cli("flushall")).toBe("OK");
    for (const callId of busy) release(callId);
    for (const callId of [...busy, ...waiting]) {
      expect(await ended(platform, key, callId)).toMatchObject({ status: "succeeded" });
      expect(runs.get(callId)).toBe(1);
    }
    expect(await entries(platform, id)).toHaveLength(28);
  });

  it("settles, runs, expires and takes back calls while Redis is away", async () => {
    const { id, key } = await platform.account(100);
    const during = await begin(platform, key, "test-work", { mode: "hold", text: "ran on" });
    await running(platform, during);
    await redis.kill();
    const inline = await platform.request("POST", "/api/call/test-inline", { key, body: {} });
    expect(inline.status).toBe(200);
    const taken = await begin(platform, key, "test-brief");
    const cancelled = await platform.request("POST", `/api/calls/${taken}/cancel`, { key });
    expect(cancelled).toMatchObject({ status: 200, body: { status: "cancelled", refunded: true } });
    const late = await begin(platform, key, "test-brief");
    expect(await ended(platform, key, late)).toMatchObject({ status: "expired", refunded: true });
    release(during);
    expect(await ended(platform, key, during)).toMatchObject({
      status: "succeeded",
      result: { text: "ran on" },
    });
    const meanwhile = await begin(platform, key, "test-work", { text: "ran meanwhile" });
    expect(await ended(platform, key, meanwhile)).toMatchObject({
      status: "succeeded",
      result: { text: "ran meanwhile" },
    });
    expect((await entries(platform, id)).filter(([kind]) => kind === "refund")).toHaveLength(2);
  });

  const outages = [
    ["dies", () => redis.kill(), () => redis.start()],
    ["freezes", async () => redis.freeze(), async () => redis.thaw()],
  ] as const;
  for (const [what, goAway, comeBack] of outages) {
    it(`runs each call soon, and once, while Redis ${what} under load and comes back`, async () => {
      const account = await platform.account(10_000);
      const before = load(account);
      await goAway();
      const during = [...(await before), ...(await load(account))];
      await known();
      const after = load(account);
      await comeBack();
      const ids = [...during, ...(await after)];
      expect(ids.filter((id) => runs.get(id) !== 1)).toEqual([]);
    });
  }

  it("goes back to hints when Redis is back, and looks for calls no more", async () => {
    await redis.kill();
    await known();
    const seen = { looks: 0, ran: 0 };
    const waiting: ClaimedCall[] = [];
    const { dispatcher } = platform.runtime;
    const consumer = await dispatcher.consume("image", {
      slots: 1,
      claim: async (count) => {
        seen.looks++;
        return waiting.splice(0, count);
      },
      run: async () => void seen.ran++,
    });
    const lookedBefore = seen.looks;
    await until(async () => seen.looks > lookedBefore + 1);
    await redis.start();
    await until(async () => dispatcher.awaySince() === null);
    // Between two looks there is less than a second, and what looks on ends by itself.
    await until(async () => {
      const looks = seen.looks;
      await letPass(1_500);
      return seen.looks === looks;
    });
    const call = { id: `call_${"1".repeat(32)}`, leftMs: 1_000 } as ClaimedCall;
    waiting.push(call);
    await dispatcher.announce("image", [call.id]);
    await until(async () => seen.ran === 1);
    await consumer.stop();
  });
});

describe.skipIf(!isOnRedis)("without a Redis", () => {
  it("starts, serves calls, and takes to Redis when there is one", async () => {
    const redis = await RedisServer.stopped();
    const platform = await startTestPlatform({ env: { REDIS_URL: redis.url } });
    const { key } = await platform.account(10);
    const { dispatcher } = platform.runtime;
    expect(dispatcher.awaySince()).toBeInstanceOf(Date);
    const call = () => platform.request("POST", "/api/call/test-work", { key, body: {} });
    expect(await call()).toMatchObject({ status: 200 });
    await redis.start();
    await until(async () => dispatcher.awaySince() === null);
    expect(await call()).toMatchObject({ status: 200 });
    expect(await dispatcher.waiting("brain")).toBe(0);
    await platform.stop();
    await redis.kill();
  });
});
