import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { release, runs } from "../support/capabilities/test-work/handler.ts";
import { begin, ended, entries, running } from "../support/calls.ts";
import { freePort } from "../support/global-setup.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { until } from "../support/until.ts";

const hasRedis =
  process.env["TEST_DISPATCH"] === "redis" && spawnSync("redis-server", ["--version"]).status === 0;

/** A Redis of this file's own, which it may flush and kill. */
describe.skipIf(!hasRedis)("on a Redis that forgets or goes away", () => {
  let port: number;
  let redis: ChildProcess;
  let platform: TestPlatform;
  beforeAll(async () => {
    port = await freePort();
    await startRedis();
    platform = await startTestPlatform({ env: { REDIS_URL: `redis://127.0.0.1:${port}` } });
  });
  afterAll(async () => {
    expect(await platform.database.violations()).toBe(0);
    await platform.stop();
    redis.kill("SIGKILL");
  });

  const cli = (...args: string[]): string =>
    spawnSync("redis-cli", ["-p", String(port), ...args])
      .stdout.toString()
      .trim();

  async function startRedis(): Promise<void> {
    redis = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", ""], {
      stdio: "ignore",
    });
    await until(async () => cli("ping") === "PONG");
  }

  async function killRedis(): Promise<void> {
    const gone = once(redis, "exit");
    redis.kill("SIGKILL");
    await gone;
  }

  it("runs what waits although the queue was flushed, each call once", async () => {
    const { id, key } = await platform.account(1_000);
    const busy = await Promise.all(
      Array.from({ length: 8 }, () => begin(platform, key, "test-work", { mode: "hold" })),
    );
    for (const callId of busy) await running(platform, callId);
    const waiting = await Promise.all(Array.from({ length: 20 }, () => begin(platform, key, "test-work")));
    expect(cli("flushall")).toBe("OK");
    for (const callId of busy) release(callId);
    for (const callId of [...busy, ...waiting]) {
      expect(await ended(platform, key, callId)).toMatchObject({ status: "succeeded" });
      expect(runs.get(callId)).toBe(1);
    }
    expect(await entries(platform, id)).toHaveLength(28);
  });

  it("settles, expires and takes back calls while Redis is away, and runs the rest when it is there again", async () => {
    const { id, key } = await platform.account(100);
    const during = await begin(platform, key, "test-work", { mode: "hold", text: "ran on" });
    await running(platform, during);
    await killRedis();
    const inline = await platform.request("POST", "/api/call/test-inline", { key, body: {} });
    expect(inline.status).toBe(200);
    const taken = await begin(platform, key, "test-work");
    const cancelled = await platform.request("POST", `/api/calls/${taken}/cancel`, { key });
    expect(cancelled).toMatchObject({ status: 200, body: { status: "cancelled", refunded: true } });
    const late = await begin(platform, key, "test-brief");
    expect(await ended(platform, key, late)).toMatchObject({ status: "expired", refunded: true });
    release(during);
    expect(await ended(platform, key, during)).toMatchObject({
      status: "succeeded",
      result: { text: "ran on" },
    });
    const waiting = await begin(platform, key, "test-work", { text: "ran later" });
    await startRedis();
    expect(await ended(platform, key, waiting)).toMatchObject({
      status: "succeeded",
      result: { text: "ran later" },
    });
    expect((await entries(platform, id)).filter(([kind]) => kind === "refund")).toHaveLength(2);
  });
});
