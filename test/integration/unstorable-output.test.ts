import { afterAll, beforeAll, expect, it } from "vitest";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { entries } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

it("refunds a call whose large result cannot be stored, and serves the others", async () => {
  const { id, key } = await platform.account(10);
  const outputs = join(platform.runtime.config.dataDir, "artifacts", "outputs");
  await mkdir(join(outputs, ".."), { recursive: true });
  await rm(outputs, { recursive: true, force: true });
  // Where the directory should be lies a file: nothing can be written below it.
  await writeFile(outputs, "");
  const large = await platform.request("POST", "/api/call/test-work", { key, body: { mode: "large" } });
  expect(large).toMatchObject({
    status: 503,
    body: { error: "unavailable", refunded: true, balance: 10 },
  });
  expect(JSON.stringify(large.body)).not.toContain(outputs);
  const small = await platform.request("POST", "/api/call/test-work", { key, body: {} });
  expect(small.status).toBe(200);
  await rm(outputs);
  const again = await platform.request("POST", "/api/call/test-work", { key, body: { mode: "large" } });
  expect(again.status).toBe(200);
  expect(await entries(platform, id)).toEqual([
    ["charge", -2],
    ["refund", 2],
    ["charge", -2],
    ["charge", -2],
  ]);
});
