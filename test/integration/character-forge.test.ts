import { createHash } from "node:crypto";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { figure, moving, plain } from "../features/character-forge/images.ts";
import { balance, begin, ended, entries, running } from "../support/calls.ts";
import { type ImageServer, startImageServer } from "../support/image-server.ts";
import { startTestPlatform, type Answer, type TestPlatform } from "../support/platform.ts";
import { until } from "../support/until.ts";

const CALL = "/api/call/character-forge";
const PRICE = 25;
const PORTRAIT = await figure(512, 768).jpeg().toBuffer();

let server: ImageServer;
let platform: TestPlatform;
let account: { readonly id: string; readonly key: string };
beforeAll(async () => {
  server = await startImageServer();
  platform = await startTestPlatform({
    pools: [{ pool: "image", slots: 4 }],
    env: { MODEL_IMAGE: "test-image", MODEL_IMAGE_BASE_URL: server.baseUrl },
  });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
  await server.close();
});
beforeEach(async () => {
  account = await platform.account(100);
  // What one test's server did wrong is not held against the next one's.
  await platform.database.owner.query("delete from model_circuits");
});
afterEach(() => server.answers({ status: 500 }));

const call = (prompt: string): Promise<Answer> =>
  platform.request("POST", CALL, { key: account.key, body: { prompt } });

/** Fetches a stored file by its public address. */
async function download(url: string): Promise<{ readonly response: Response; readonly bytes: Buffer }> {
  const { pathname } = new URL(url);
  const response = await fetch(`${platform.baseUrl}${pathname}`);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe("a call of character-forge", () => {
  it("is paid once and delivers a picture and a thumbnail that can be fetched", async () => {
    server.answers({ b64: PORTRAIT });
    const { status, body } = await call("a knight in red");
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "succeeded", price: PRICE, balance: 75 });
    const { result } = body;
    expect(Object.keys(result).sort()).toEqual(
      ["image_url", "thumbnail_url", "width", "height", "format", "bytes", "sha256", "model"].sort(),
    );
    expect(result).toMatchObject({ width: 1024, height: 1024, format: "png", model: "test-image" });

    const image = await download(result.image_url);
    expect(image.response.headers.get("content-type")).toBe("image/png");
    expect(image.bytes).toHaveLength(result.bytes);
    expect(createHash("sha256").update(image.bytes).digest("hex")).toBe(result.sha256);
    expect(result.image_url).toContain(`/artifacts/${result.sha256}/`);
    const { data, info } = await sharp(image.bytes).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 1024, height: 1024 });
    expect(new Set(data).size).toBeGreaterThan(10);
    const thumbnail = await download(result.thumbnail_url);
    expect(thumbnail.response.headers.get("content-type")).toBe("image/webp");
    expect(await sharp(thumbnail.bytes).metadata()).toMatchObject({
      format: "webp",
      width: 256,
      height: 256,
    });
    expect(server.prompts.at(-1)).toMatch(/\n\nCharacter: a knight in red$/);
    expect(await entries(platform, account.id)).toEqual([["charge", -PRICE]]);
  });

  it("takes an image that the server gives as an address of its own", async () => {
    server.answers({ at: "/files/knight.jpg?sig=a%2Fb", serves: PORTRAIT });
    const { status, body } = await call("a knight");
    expect(status).toBe(200);
    expect(server.fetched).toContain("/files/knight.jpg?sig=a%2Fb");
    expect(body.result.bytes).toBe((await download(body.result.image_url)).bytes.length);
  });

  it("gives the same address for the same picture", async () => {
    server.answers({ b64: PORTRAIT });
    const [one, two] = [await call("a knight"), await call("a knight")];
    expect(one.body.result.image_url).toBe(two.body.result.image_url);
  });

  it("asks a second time where the first image is none, for one price", async () => {
    server.answers({ b64: Buffer.from("no image") }, { b64: PORTRAIT });
    expect((await call("a knight")).status).toBe(200);
    expect(await entries(platform, account.id)).toEqual([["charge", -PRICE]]);
  });

  it.each([
    ["empty", async () => ({ b64: Buffer.alloc(0) })],
    ["blank", async () => ({ b64: await plain(1024).png().toBuffer() })],
    ["broken", async () => ({ b64: PORTRAIT.subarray(0, 3_000) })],
    ["moving", async () => ({ b64: await (await moving(3)).gif().toBuffer() })],
    [
      "an SVG",
      async () => ({ b64: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>") }),
    ],
    ["missing", async () => ({ body: '{"data":[]}' })],
    ["nowhere", async () => ({ at: "/files/nowhere.png" })],
    ["in this network", async () => ({ at: "http://169.254.169.254/latest/meta-data" })],
    ["on another port of this machine", async () => ({ at: "http://127.0.0.1:1/a.png" })],
    ["a file", async () => ({ at: "file:///etc/passwd" })],
  ])("is refunded when the image is %s, twice", async (_what, answer) => {
    const before = server.prompts.length;
    server.answers(await answer());
    const { status, body } = await call("a knight");
    expect(status).toBe(502);
    expect(body).toMatchObject({
      error: "model_output_invalid",
      refunded: true,
      status: "failed",
      balance: 100,
    });
    expect(server.prompts.length - before).toBe(2);
    expect(await entries(platform, account.id)).toEqual([
      ["charge", -PRICE],
      ["refund", PRICE],
    ]);
  });

  it("is refunded when it is cancelled while the model draws, and the request to the model is given up", async () => {
    server.answers("hang");
    const before = { aborted: server.aborted(), asked: server.prompts.length };
    const callId = await begin(platform, account.key, "character-forge", { prompt: "a knight" });
    await running(platform, callId);
    await until(async () => server.prompts.length > before.asked);
    await platform.request("POST", `/api/calls/${callId}/cancel`, { key: account.key });
    expect(await ended(platform, account.key, callId)).toMatchObject({
      outcome: "cancelled",
      refunded: true,
    });
    await until(async () => server.aborted() > before.aborted);
    expect(await balance(platform, account.id)).toBe(100);
  });

  it("tells that the model draws", async () => {
    server.answers({ b64: PORTRAIT });
    const callId = await begin(platform, account.key, "character-forge", { prompt: "a knight" });
    await ended(platform, account.key, callId);
    const rows = await platform.database.owner.query<{ data: string }>(
      "select data from events where stream_id = $1 and type = 'progress' order by seq",
      [callId],
    );
    expect(JSON.parse(rows[0]?.data ?? "")).toEqual({ stage: "drawing", attempt: 1 });
  });
});
