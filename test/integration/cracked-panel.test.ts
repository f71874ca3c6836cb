import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

it("sells a panel that is proven watertight", async () => {
  const { key } = await platform.account(20);
  const { status, body } = await platform.request("POST", "/api/call/cam-forge", { key, body: {} });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    price: 15,
    balance: 5,
    result: { watertight: { checked: true, boundary_edges: 0 } },
  });
  const file = await fetch(body.result.url.replace(/^http:\/\/[^/]+/, platform.baseUrl));
  expect(Buffer.from(await file.arrayBuffer()).toString("base64")).toBe(body.result.data);
});

it("refuses and refunds one whose mesh has a crack of one unit in the last place", async () => {
  const { key } = await platform.account(20);
  const { status, body } = await platform.request("POST", "/api/call/test-cracked-panel", { key, body: {} });
  expect(status).toBe(422);
  expect(body).toMatchObject({
    ok: false,
    error: "not_watertight",
    status: "failed",
    refunded: true,
    balance: 20,
  });
});
