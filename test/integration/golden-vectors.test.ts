import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadFolders } from "../../src/core/catalog/folders.ts";
import { passes } from "../../src/core/catalog/vectors.ts";
import { balance } from "../support/calls.ts";
import { startTestModels, type TestModels } from "../support/offline-server.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

const FUNDS = 100;
const capabilities = await loadFolders([join(import.meta.dirname, "../../src/features")]);
const cases = capabilities.flatMap((capability) =>
  capability.vectors.map((vector) => ({ slug: capability.slug, name: vector.name, capability, vector })),
);

let models: TestModels;
let platform: TestPlatform;
beforeAll(async () => {
  models = await startTestModels();
  platform = await startTestPlatform({
    env: { OFFLINE_MODELS_URL: models.url },
    pools: (["brain", "brain-large", "image", "cam", "probe"] as const).map((pool) => ({ pool, slots: 2 })),
  });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
  await models.close();
});

it.each(cases)("$slug passes its golden vector over HTTP: $name", async ({ slug, capability, vector }) => {
  const { id, key } = await platform.account(FUNDS);
  const { body } = await platform.request("POST", `/api/call/${slug}`, { key, body: vector.input });
  const succeeded = body.ok === true;
  const replay = succeeded ? { output: body.result } : { error: body.error };
  expect(passes(vector, replay), JSON.stringify(body)).toBe(true);
  const price = capability.offers.find(({ surface }) => surface === "marketplace")?.price.amount;
  expect(FUNDS - (await balance(platform, id))).toBe(succeeded ? price : 0);
  if (succeeded && capability.model !== undefined && "model" in body.result) {
    expect(body.result.model).toBe(`meshforge-offline-${capability.model}`);
  }
});
