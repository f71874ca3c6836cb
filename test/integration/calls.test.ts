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

it("charges a queued call once and gives its result", async () => {
  const { key } = await platform.account(10);
  const { status, body } = await platform.request("POST", "/api/call/test-work", {
    key,
    body: { text: "hello" },
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    ok: true,
    status: "succeeded",
    result: { text: "hello" },
    price: 2,
    balance: 8,
  });
});
