import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { begin, ended } from "../support/calls.ts";
import { type FakeModelServer, startModelServer } from "../support/model-server.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { letPass } from "../support/let-pass.ts";

const LIMITS = { small: 6, large: 3 };
const CALLS_PER_TIER = 100;
const ANSWER_MS = 20;
const PRICE = 2;

let models: FakeModelServer;
let platform: TestPlatform;
beforeAll(async () => {
  models = await startModelServer();
  const pools = [
    { pool: "brain", slots: 32 },
    { pool: "brain-large", slots: 32 },
  ] as const;
  platform = await startTestPlatform({
    pools,
    env: {
      OFFLINE_MODELS_URL: models.url,
      MODEL_SMALL_CONCURRENCY: String(LIMITS.small),
      MODEL_LARGE_CONCURRENCY: String(LIMITS.large),
    },
  });
  await platform.addWorker(pools);
  await platform.addWorker(pools);
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
  await models.close();
});

it("holds the limit of each tier with 200 calls at once on three workers, and uses all of it", async () => {
  const ofTier = (tier: string) =>
    models.mostAtOnce(({ body }) => body["model"] === `meshforge-offline-${tier}`);
  const most = () => ({ small: ofTier("small"), large: ofTier("large") });
  // Nobody is answered before every turn is taken, however slowly the calls come.
  const allTaken = Promise.withResolvers<void>();
  models.behave(async () => {
    if (isDeepStrictEqual(most(), LIMITS)) allTaken.resolve();
    await allTaken.promise;
    await letPass(ANSWER_MS);
    return true;
  });
  const { id, key } = await platform.account(2 * CALLS_PER_TIER * PRICE);
  const slugs = Array.from({ length: CALLS_PER_TIER }, () => ["test-question", "test-question-large"]).flat();
  const calls = await Promise.all(slugs.map((slug) => begin(platform, key, slug, { text: "two words" })));
  const ends = await Promise.all(calls.map((call) => ended(platform, key, call)));
  expect(ends.map(({ outcome }) => outcome)).toEqual(slugs.map(() => "succeeded"));
  expect(most()).toEqual(LIMITS);
  const held = await platform.database.owner.query("select from model_slots where held");
  expect(held.length).toBeLessThanOrEqual(1);
  expect((await platform.request("GET", "/api/account", { key })).body).toMatchObject({ id, balance: 0 });
});
