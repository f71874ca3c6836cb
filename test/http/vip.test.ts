import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { setTier } from "../../src/core/accounts/accounts.ts";
import { LIMITS } from "../../src/core/limits.ts";
import { newRoot, writeCapability } from "../core/capability-folders.ts";
import { entries } from "../support/calls.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { expectError } from "./support.ts";

let root: string;
let platform: TestPlatform;
beforeAll(async () => {
  root = await newRoot();
  const offers = '[{ surface: "marketplace", access: "vip", price: mesh(0) }]';
  await writeCapability(root, "vip-only", { offers });
  platform = await startTestPlatform({ pools: [], env: { CAPABILITIES_DIR: root } });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
  await rm(root, { recursive: true, force: true });
});

const call = (key: string, body: unknown = { text: "a" }): Promise<Answer> =>
  platform.request("POST", "/api/call/vip-only", { key, body });

it("is listed for everybody, and needs a key", async () => {
  const { body } = await platform.request("GET", "/api/capabilities/vip-only");
  expect(body).toMatchObject({ slug: "vip-only", price: 0 });
  const { body: document } = await platform.request("GET", "/openapi.json");
  expect(document.paths["/api/call/vip-only"].post.responses).toHaveProperty("403");
  expect(document.paths["/api/call/safety-scrub"].post.responses).not.toHaveProperty("403");
  expectError(await platform.request("POST", "/api/call/vip-only", { body: {} }), 401, "unauthorized");
});

it("is refused to an account that is no VIP, before its body is read, and costs nothing", async () => {
  const { id, key } = await platform.account(10);
  for (const body of [{ text: "a" }, { text: 5 }, "{", "x".repeat(LIMITS.bodyBytes + 1)])
    expectError(await call(key, body), 403, "vip_required");
  expect((await platform.request("GET", "/api/calls", { key })).body.calls).toEqual([]);
  expect(await entries(platform, id)).toEqual([]);
});

it("is run for a VIP at no price, and no longer when that has ended", async () => {
  const { handle, id, key } = await platform.account(0);
  await setTier(platform.database.owner, handle, "vip", 30);
  expect(await call(key)).toMatchObject({ status: 200, body: { price: 0, result: { text: "a" } } });
  expectError(await call(key, { text: 5 }), 400, "invalid_input");
  await platform.database.owner.query(
    "update accounts set tier_until = clock_now() - interval '1 second' where id = $1",
    [id],
  );
  expectError(await call(key), 403, "vip_required");
  await setTier(platform.database.owner, handle, "vip", undefined);
  expect((await call(key)).status).toBe(200);
});

it("is refused also where no door has asked first", async () => {
  const { id } = await platform.account(0);
  const wish = {
    surface: "marketplace",
    name: "vip-only",
    caller: { accountId: id, keyId: "key_none" },
  } as const;
  await expect(
    platform.services.calls.start({
      ...wish,
      body: { prepare: () => Promise.reject(new Error("the body was read")) },
      waitMs: 0,
      idempotencyKey: null,
      maxPrice: null,
    }),
  ).rejects.toMatchObject({ code: "vip_required" });
});
