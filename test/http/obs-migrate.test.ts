import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { expectError } from "./support.ts";

const MEBIBYTE = 1_048_576;

let platform: TestPlatform;
let key: string;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [{ pool: "text", slots: 1 }] });
  ({ key } = await platform.account(1_000));
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

const call = (body: unknown) => platform.request("POST", "/api/call/obs-migrate", { key, body });

describe("POST /api/call/obs-migrate", () => {
  it("takes a body of nearly 8 MiB and gives all of it back, migrated", async () => {
    const sources = Array.from({ length: 60_000 }, (_, index) => ({
      id: "image_source",
      name: `S${index}`,
      settings: { file: `/Users/me/Pictures/${index % 1_000}.png` },
    }));
    const body = JSON.stringify({ files: { "Big.json": JSON.stringify({ sources }, null, 1) } });
    expect(body.length).toBeGreaterThan(7 * MEBIBYTE);
    expect(body.length).toBeLessThan(8 * MEBIBYTE);
    const answer = await call(body);
    expect(answer.status).toBe(200);
    const migrated = JSON.parse(answer.body.result.files["Big.json"]);
    expect(migrated.sources).toHaveLength(sources.length);
    expect(migrated.sources[999].settings.file).toBe("D:/OBS_assets/999.png");
  });

  it("refuses a larger one, uncharged", async () => {
    const { key: own } = await platform.account(10);
    const body = { files: { "a.json": "x".repeat(8 * MEBIBYTE) } };
    expectError(
      await platform.request("POST", "/api/call/obs-migrate", { key: own, body }),
      413,
      "payload_too_large",
    );
    expect((await platform.request("GET", "/api/account", { key: own })).body.balance).toBe(10);
  });

  it("refuses a file name that reaches for a prototype", async () => {
    expectError(await call('{"files":{"__proto__":"x"}}'), 400, "invalid_input");
  });

  it("refunds what has too many sources", async () => {
    const { key: own } = await platform.account(10);
    const body = { files: { "a.json": `{"sources":[${"{},".repeat(400_000)}1]}` } };
    const answer = await platform.request("POST", "/api/call/obs-migrate", { key: own, body });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ error: "too_many_things", refunded: true, balance: 10 });
  });
});
