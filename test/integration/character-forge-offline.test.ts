import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { entries } from "../support/calls.ts";
import { startTestModels, type TestModels } from "../support/offline-server.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";

let models: TestModels;
let platform: TestPlatform;
let account: { readonly id: string; readonly key: string };
beforeAll(async () => {
  models = await startTestModels();
  platform = await startTestPlatform({
    pools: [{ pool: "image", slots: 4 }],
    env: { OFFLINE_MODELS_URL: models.url },
  });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
  await models.close();
});
beforeEach(async () => {
  account = await platform.account(100);
  models.behave();
});

const call = (body: unknown): Promise<Answer> =>
  platform.request("POST", "/api/call/character-forge", { key: account.key, body });

describe("character-forge with the offline server", () => {
  it("draws the same for the same words, and another picture for others", async () => {
    const answers = [
      await call({ prompt: "an old wizard with a white beard" }),
      await call({ text: "an old wizard with a white beard" }),
      await call({ prompt: "a young sailor with red hair" }),
    ];
    const [wizard, again, sailor] = answers.map(({ body }) => body.result.sha256 as string);
    expect(again).toBe(wizard);
    expect(sailor).not.toBe(wizard);
  });

  it("delivers what can be decoded", async () => {
    const { body } = await call({ prompt: "a fox in a coat" });
    const response = await fetch(`${platform.baseUrl}${new URL(body.result.image_url).pathname}`);
    const { info } = await sharp(await response.arrayBuffer())
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 1024, height: 1024 });
  });

  it.each(["empty image", "broken image"] as const)(
    "refunds the call for an %s, asked for twice",
    async (fault) => {
      const before = models.taken.length;
      models.order({ fault });
      expect(await call({ prompt: "a fox" })).toMatchObject({
        status: 502,
        body: { error: "model_output_invalid", refunded: true, balance: 100 },
      });
      expect(models.taken.length - before).toBe(2);
      expect(await entries(platform, account.id)).toEqual([
        ["charge", -25],
        ["refund", 25],
      ]);
    },
  );

  it("takes the second image where the first is empty", async () => {
    models.order({ fault: "empty image", times: 1 });
    expect((await call({ prompt: "a fox" })).status).toBe(200);
    expect(await entries(platform, account.id)).toEqual([["charge", -25]]);
  });
});
