import { afterAll, beforeAll, expect, it } from "vitest";
import { bodyOf } from "../../src/core/calls/prepare.ts";
import { createServices } from "../../src/platform/api.ts";
import { sweepCalls } from "../../src/core/calls/sweep.ts";
import type { MarketplaceServices } from "../../src/http/marketplace/services.ts";
import { createRuntime, type Runtime } from "../../src/platform/runtime.ts";
import { release } from "../support/capabilities/test-work/handler.ts";
import { begin, entries, row } from "../support/calls.ts";
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

/** Runs what needs a second API process on the same database and queue. */
async function withSecondApi(
  act: (services: MarketplaceServices, runtime: Runtime) => Promise<void>,
): Promise<void> {
  const runtime = await createRuntime(platform.runtime.config, platform.database.url, "second api");
  const services = await createServices(runtime);
  try {
    await act(services, runtime);
  } finally {
    services.calls.waiters.drain();
    await runtime.close();
  }
}

it("wakes who waits at one API for a call that was made at another", async () => {
  const { id, key } = await platform.account(10);
  await withSecondApi(async ({ calls }) => {
    const callId = await begin(platform, key, "test-work", { mode: "hold", text: "far" });
    const polled = calls.poll(id, callId, 120_000);
    release(callId);
    const call = await polled;
    expect(call).toMatchObject({ state: "succeeded", output: '{"text":"far"}' });
  });
});

it("cancels at one API what was made at another and runs in a worker", async () => {
  const { id, key } = await platform.account(10);
  await withSecondApi(async ({ calls }) => {
    const waiting = platform.request("POST", "/api/call/test-work", {
      key,
      body: { mode: "hold" },
    });
    const callId: string = await until(
      async () =>
        (await platform.request("GET", "/api/calls?status=running", { key })).body.calls[0]?.call_id,
    );
    await calls.cancel(id, callId);
    expect(await waiting).toMatchObject({ status: 409, body: { call_id: callId, refunded: true } });
  });
});

it("makes one call out of one key that comes to several APIs at once", async () => {
  const { id, key } = await platform.account(100);
  await withSecondApi(async ({ calls }) => {
    const request = {
      caller: { accountId: id, keyId: "key_of_the_test" },
      surface: "marketplace",
      name: "test-work",
      body: bodyOf({ text: "a" }),
      waitMs: 120_000,
      idempotencyKey: "one",
      maxPrice: null,
    } as const;
    const here = Array.from({ length: 30 }, () =>
      platform
        .request("POST", "/api/call/test-work", {
          key,
          body: { text: "a" },
          headers: { "idempotency-key": "one" },
        })
        .then(({ body }) => body.call_id),
    );
    const there = Array.from({ length: 30 }, () => calls.start(request).then(({ call }) => call.id));
    expect(new Set(await Promise.all([...here, ...there])).size).toBe(1);
    expect(await entries(platform, id)).toEqual([["charge", -2]]);
  });
});

it("ends each overdue call once, however many processes sweep", async () => {
  const { id, key } = await platform.account(1_000);
  const ids = await Promise.all(Array.from({ length: 60 }, () => begin(platform, key, "test-brief")));
  await withSecondApi(async (_services, runtime) => {
    await until(async () => {
      await Promise.all(
        Array.from({ length: 6 }, () => sweepCalls({ ...runtime, onError: () => undefined })),
      );
      return (await row(platform, ids.at(-1) ?? "")).state === "expired";
    });
  });
  await until(async () => (await entries(platform, id)).length === 120);
  for (const callId of ids) expect(await row(platform, callId)).toMatchObject({ state: "expired" });
});
