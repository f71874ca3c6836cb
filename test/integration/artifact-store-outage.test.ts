import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { figure } from "../features/character-forge/images.ts";
import { entries } from "../support/calls.ts";
import { type ImageServer, startImageServer } from "../support/image-server.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { bucketEnv, type S3Server, startS3Server } from "../support/s3-server.ts";
import { letPass } from "../support/let-pass.ts";

const SILENCE_MS = 300;
const PICTURE = await figure(256, 256).png().toBuffer();

let s3: S3Server;
let images: ImageServer;
let platform: TestPlatform;
let account: { readonly id: string; readonly key: string };
beforeAll(async () => {
  [s3, images] = await Promise.all([startS3Server(), startImageServer()]);
  images.answers({ b64: PICTURE });
  platform = await startTestPlatform({
    pools: [
      { pool: "image", slots: 2 },
      { pool: "brain", slots: 2 },
      { pool: "cam", slots: 1 },
    ],
    env: { ...bucketEnv(s3), MODEL_IMAGE: "test-image", MODEL_IMAGE_BASE_URL: images.baseUrl },
  });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
  await Promise.all([s3.close(), images.close()]);
});
beforeEach(async () => {
  account = await platform.account(100);
});
afterEach(async () => {
  // What a failed call had begun to store is tried again behind its back, and must not take the next test's faults.
  await s3Silence();
  s3.always(undefined);
  s3.objects.clear();
  await platform.database.owner.query("delete from artifacts");
});

async function s3Silence(): Promise<void> {
  for (let seen = -1; seen !== s3.requests.length; await letPass(SILENCE_MS)) seen = s3.requests.length;
}

const draw = (): Promise<Answer> =>
  platform.request("POST", "/api/call/character-forge", { key: account.key, body: { prompt: "a knight" } });
const large = (): Promise<Answer> =>
  platform.request("POST", "/api/call/test-work", { key: account.key, body: { mode: "large" } });
const pointedAt = async (): Promise<string[]> =>
  (await platform.database.owner.query<{ sha256: string }>("select sha256 from artifacts")).map(
    ({ sha256 }) => sha256,
  );

it("refunds a call whose picture finds the bucket away, and delivers the next one", async () => {
  s3.always("500");
  const failed = await draw();
  expect(failed).toMatchObject({ status: 503, body: { error: "unavailable", refunded: true, balance: 100 } });
  expect(s3.objects.size).toBe(0);
  expect(await pointedAt()).toEqual([]);
  s3.always(undefined);
  const { status, body } = await draw();
  expect(status).toBe(200);
  expect((await fetch(`${platform.baseUrl}${new URL(body.result.image_url).pathname}`)).status).toBe(200);
  expect(await entries(platform, account.id)).toEqual([
    ["charge", -25],
    ["refund", 25],
    ["charge", -25],
  ]);
});

it("refunds a call whose file comes from a thread and finds the bucket away", async () => {
  s3.always("500");
  const answer = await platform.request("POST", "/api/call/cam-forge", { key: account.key, body: {} });
  expect(answer).toMatchObject({ status: 503, body: { error: "unavailable", refunded: true, balance: 100 } });
});

it("points at nothing that is not there when one of two files is refused", async () => {
  s3.order("403");
  const { body } = await draw();
  expect(body).toMatchObject({ error: "internal_error", refunded: true, balance: 100 });
  expect(JSON.stringify(body)).not.toMatch(/403|AccessDenied|bucket/);
  for (const sha256 of await pointedAt()) {
    expect([...s3.objects.keys()]).toContain(`files/${sha256.slice(0, 2)}/${sha256}`);
  }
});

it("refunds a call whose large result finds the bucket away", async () => {
  s3.always("503");
  expect(await large()).toMatchObject({ status: 503, body: { error: "unavailable", refunded: true } });
  s3.always(undefined);
  expect((await large()).status).toBe(200);
});

it("answers 503 for a paid result while the bucket is away, and with the result when it is back", async () => {
  const { body } = await large();
  s3.always("500");
  const path = `/api/calls/${body.call_id}`;
  expect(await platform.request("GET", path, { key: account.key })).toMatchObject({
    status: 503,
    body: {
      error: "unavailable",
      call_id: body.call_id,
      message: expect.stringMatching(/was made and is charged/),
    },
  });
  s3.always(undefined);
  expect((await platform.request("GET", path, { key: account.key })).body.result).toEqual(body.result);
});
