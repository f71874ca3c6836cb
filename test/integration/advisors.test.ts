import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { entries } from "../support/calls.ts";
import { type FakeModelServer, good, saying, startModelServer } from "../support/model-server.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";

let server: FakeModelServer;
let platform: TestPlatform;
beforeAll(async () => {
  server = await startModelServer();
  platform = await startTestPlatform({
    env: { OFFLINE_MODELS_URL: server.url },
    pools: [
      { pool: "brain", slots: 4 },
      { pool: "brain-large", slots: 4 },
    ],
  });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
  await server.close();
});
beforeEach(() => server.behave(good));

const call = (key: string, slug: string, body: unknown): Promise<Answer> =>
  platform.request("POST", `/api/call/${slug}`, { key, body });

describe("with the offline server", () => {
  it.each([
    ["pos-rescue", "meshforge-offline-small"],
    ["pos-rescue-smart", "meshforge-offline-large"],
  ])("%s is answered by %s", async (slug, model) => {
    const { key } = await platform.account(100);
    const { body } = await call(key, slug, { trouble: "The printer prints nothing." });
    expect(body.result).toMatchObject({ model, rescue: { workaround: null } });
  });
});

describe("an empty trouble", () => {
  it.each([
    ["pos-rescue", 5],
    ["pos-rescue-smart", 15],
  ])("of %s is charged, found, and refunded, without asking a model", async (slug, price) => {
    const { id, key } = await platform.account(100);
    const asked = server.seen.length;
    const { status, body } = await call(key, slug, { trouble: " \n\t ", exclusivity: "no" });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      ok: false,
      error: "empty_trouble",
      status: "failed",
      refunded: true,
      price,
      balance: 100,
    });
    expect(await entries(platform, id)).toEqual([
      ["charge", -price],
      ["refund", price],
    ]);
    expect(server.seen).toHaveLength(asked);
  });
});

describe("what the contract can tell is refused, uncharged:", () => {
  it.each([
    ["pos-rescue", {}, "trouble"],
    ["pos-rescue", { trouble: "" }, "trouble"],
    ["pos-rescue-smart", { trouble: 5 }, "trouble"],
    ["task-analysis", { task: "  \n " }, "task"],
    ["task-analysis", {}, "task"],
    ["biz-analyze", { context: "" }, "context"],
    ["biz-analyze", { context: "é".repeat(8_001) }, "context"],
    ["biz-analyze", { context: "x", constraints: "none" }, "constraints"],
    ["personalize", { profile: {}, content: [], goal: "sell" }, "content"],
    ["personalize", { profile: {}, content: ["a"], goal: " " }, "goal"],
    ["structured-extract", { text: "", shape: { a: 1 } }, "text"],
    ["structured-extract", { text: "x" }, "shape"],
    ["structured-extract", { text: "x", shape: {} }, "shape"],
    [
      "structured-extract",
      { text: "x", shape: { type: "object", properties: { a: { type: "no" } } } },
      "shape",
    ],
    [
      "structured-extract",
      { text: "x", shape: { type: "object", properties: { a: { pattern: "(" } } } },
      "shape",
    ],
  ])("%s %j, for %s", async (slug, input, path) => {
    const { id, key } = await platform.account(100);
    const { status, body } = await call(key, slug, input);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: "invalid_input", issues: [expect.objectContaining({ path })] });
    expect(await entries(platform, id)).toEqual([]);
  });
});

describe("a hostile model over the wire", () => {
  const WORKAROUND = "Take the cards with your own Square reader.";
  const rescue = JSON.stringify({
    diagnosis: `The router is down. ${WORKAROUND}`,
    plan: [WORKAROUND, "Restart the router."],
    cautions: [WORKAROUND],
    next: [WORKAROUND],
    workaround: WORKAROUND,
  });

  it.each(["pos-rescue", "pos-rescue-smart"])(
    "of %s gets its workaround through only past a plain no",
    async (slug) => {
      const { key } = await platform.account(100);
      server.behave(saying(rescue));
      const closed = await call(key, slug, { trouble: "No network.", exclusivity: "no, I think" });
      expect(closed.body.result).toMatchObject({
        rescue: {
          diagnosis: "The router is down.",
          plan: ["Restart the router."],
          workaround: null,
          cautions: [],
        },
        exclusivity_checked: "unknown",
        next: [],
      });
      const open = await call(key, slug, { trouble: "No network.", exclusivity: "NO" });
      expect(open.body.result).toMatchObject({
        rescue: { workaround: WORKAROUND },
        exclusivity_checked: "no",
      });
    },
  );

  it("that proposes nothing else is asked twice, and the call refunded", async () => {
    const { id, key } = await platform.account(100);
    server.behave(
      saying(rescue.replaceAll("The router is down. ", "").replaceAll("Restart the router.", WORKAROUND)),
    );
    const asked = server.seen.length;
    const { status, body } = await call(key, "pos-rescue", { trouble: "No network." });
    expect(status).toBe(502);
    expect(body).toMatchObject({ error: "model_output_invalid", refunded: true });
    expect(JSON.stringify(body)).not.toContain("Square");
    expect(server.seen).toHaveLength(asked + 2);
    expect(await entries(platform, id)).toEqual([
      ["charge", -5],
      ["refund", 5],
    ]);
  });

  it("that reads what was not asked for gives no data", async () => {
    const { key } = await platform.account(100);
    server.behave(saying(JSON.stringify({ data: { total: 5, invented: true } })));
    const { status, body } = await call(key, "structured-extract", { text: "Total: 5", shape: { total: 1 } });
    expect(status).toBe(502);
    expect(body).toMatchObject({ error: "model_output_invalid", refunded: true });
  });
});
