import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { balance, begin, ended, entries, row } from "../support/calls.ts";
import {
  type Behaviour,
  dying,
  type FakeModelServer,
  good,
  hanging,
  malformed,
  SERVERS_WORDS,
  startModelServer,
  status,
  wrongSchema,
} from "../support/model-server.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { until } from "../support/until.ts";
import { letPass } from "../support/let-pass.ts";

const KEY = "sk-a-key-of-the-tests";
const TEXT = { text: "two words" };
const PRICE = 2;
const FUNDS = 100;
/** Longer than an answer about open circuits may be old. */
const SEEN_MS = 700;

const ENV = () => ({
  OPENAI_BASE_URL: `${models.url}/v1`,
  OPENAI_API_KEY: KEY,
  MODEL_SMALL: "meshforge-offline-small",
});

let models: FakeModelServer;
let platform: TestPlatform;
let account: Awaited<ReturnType<TestPlatform["account"]>>;
beforeAll(async () => {
  models = await startModelServer();
  platform = await startTestPlatform({
    pools: [{ pool: "brain", slots: 8 }],
    env: ENV(),
  });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
  await models.close();
});
beforeEach(async () => {
  account = await platform.account(FUNDS);
});
afterEach(async () => {
  models.behave(good);
  const opened = await platform.database.owner.query("delete from model_circuits returning tier");
  if (opened.length > 0) await letPass(SEEN_MS);
});

const call = (slug = "test-question", body: unknown = TEXT) =>
  platform.request("POST", `/api/call/${slug}`, { key: account.key, body });

describe("a call that asks a model", () => {
  it("counts the model's tokens in its row", async () => {
    const { body } = await call();
    expect(body).toMatchObject({ ok: true, result: { words: 2, model: "meshforge-offline-small" } });
    const { tokens_prompt, tokens_completion } = await row(platform, body.call_id);
    expect(tokens_prompt).toBeGreaterThan(0);
    expect(tokens_completion).toBeGreaterThan(0);
  });

  it.each([
    ["no JSON", malformed],
    ["JSON of another schema", wrongSchema],
  ])(
    "fails with model_output_invalid after two answers that are %s, refunded, with both counted",
    async (_w, wrong) => {
      models.behave(wrong);
      const before = models.seen.length;
      const answer = await call();
      expect(answer).toMatchObject({ status: 502, body: { error: "model_output_invalid", refunded: true } });
      expect(models.seen.length - before).toBe(2);
      expect(await row(platform, answer.body.call_id)).toMatchObject({
        tokens_prompt: 14,
        tokens_completion: 10,
      });
      expect(await entries(platform, account.id)).toEqual([
        ["charge", -PRICE],
        ["refund", PRICE],
      ]);
    },
  );

  it("waits as long as a 429 says, and then succeeds", async () => {
    const refusals = [status(429, { "retry-after": "1" })];
    models.behave((...exchange) => refusals.shift()?.(...exchange) ?? true);
    const began = performance.now();
    expect((await call()).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(1_000);
  });

  it.each([
    ["an error", status(500)],
    ["a broken connection", dying],
  ])("survives %s of the server", async (_what, fault) => {
    const faults = [fault, fault];
    models.behave((...exchange) => faults.shift()?.(...exchange) ?? true);
    expect((await call()).status).toBe(200);
  });

  it.each([
    [400, /refused the request \(HTTP 400\)/],
    [401, /MODEL_SMALL/],
    [404, /MODEL_SMALL/],
  ])("is refunded with model_unavailable when the server says %i", async (code, words) => {
    models.behave(status(code));
    const answer = await call();
    expect(answer).toMatchObject({ status: 503, body: { error: "model_unavailable", refunded: true } });
    expect(answer.body.message).toMatch(words);
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(await balance(platform, account.id)).toBe(FUNDS);
  });

  it("is refunded when the server does not answer in time", async () => {
    models.behave(hanging);
    const impatient = await startTestPlatform({
      pools: [{ pool: "brain", slots: 1 }],
      env: { ...ENV(), MODEL_SMALL_TIMEOUT_MS: "1000" },
    });
    const { key } = await impatient.account(PRICE);
    const answer = await impatient.request("POST", "/api/call/test-question", { key, body: TEXT });
    expect(answer).toMatchObject({ status: 503, body: { error: "model_unavailable", refunded: true } });
    await until(() => models.seen.at(-1)?.aborted);
    await impatient.stop();
  });

  it("ends its request at the model server when it is cancelled, and leaves the turn to the next", async () => {
    models.behave(hanging);
    const before = models.seen.length;
    const id = await begin(platform, account.key, "test-question", TEXT);
    await until(async () => models.seen.length > before);
    await platform.request("POST", `/api/calls/${id}/cancel`, { key: account.key });
    await until(async () => models.seen.at(-1)?.aborted);
    expect(await ended(platform, account.key, id)).toMatchObject({ outcome: "cancelled", refunded: true });
    await until(async () => (await platform.database.owner.query("select from model_slots")).length === 0);
  });

  it.each<[string, Behaviour]>([
    ["refuses", status(401)],
    ["fails", malformed],
  ])("tells nobody a key, nor a word of a server that %s", async (_how, fault) => {
    models.behave(fault);
    const answer = await call();
    const events = await platform.database.owner.query("select data from events where stream_id = $1", [
      answer.body.call_id,
    ]);
    const told = JSON.stringify([
      answer.body,
      [...answer.headers],
      await row(platform, answer.body.call_id),
      events,
    ]);
    for (const secret of [KEY, SERVERS_WORDS]) expect(told).not.toContain(secret);
  });
});

/** Makes calls until one is refused before it is charged, and the server is left alone for longer than any test takes. */
async function refusal() {
  const refused = await firstRefusal();
  await platform.database.owner.query(
    "update model_circuits set open_until = clock_timestamp() + interval '10 minutes'",
  );
  return refused;
}

async function firstRefusal() {
  models.behave(status(500));
  return await until(async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => call()));
    for (const one of answers)
      expect(one).toMatchObject({ status: 503, body: { error: "model_unavailable" } });
    return answers.find(({ body }) => body.call_id === undefined);
  });
}

describe("a server that is known to be dead", () => {
  it("has its calls refused at once and uncharged, with when to come again", async () => {
    const answer = await refusal();
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(answer.body).toMatchObject({
      error: "model_unavailable",
      message: expect.stringMatching(/tier small.*Try again in \d+ s.*This request was not charged/),
      retry_after_s: expect.any(Number),
    });
    const before = (await entries(platform, account.id)).length;
    const asked = models.seen.length;
    expect((await call()).status).toBe(503);
    expect(models.seen).toHaveLength(asked);
    expect(await entries(platform, account.id)).toHaveLength(before);
    expect(await balance(platform, account.id)).toBe(FUNDS);
  });

  it("answers the replay of a paid call with that call", async () => {
    const headers = { "idempotency-key": "paid" };
    const again = () =>
      platform.request("POST", "/api/call/test-question", { key: account.key, body: TEXT, headers });
    const first = await again();
    expect(first.status).toBe(200);
    await refusal();
    const replay = await again();
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(replay).toMatchObject({
      status: 200,
      body: { call_id: first.body.call_id, result: first.body.result },
    });
    expect(await call()).toMatchObject({ status: 503, body: { error: "model_unavailable" } });
  });

  it("is told of after an unknown capability and a missing key, and before a wrong input", async () => {
    await refusal();
    expect((await call("no-such")).status).toBe(404);
    expect((await platform.request("POST", "/api/call/test-question", { body: TEXT })).status).toBe(401);
    expect(await call("test-question", {})).toMatchObject({
      status: 503,
      body: { error: "model_unavailable" },
    });
    expect((await call("test-work", {})).status).toBe(200);
  });

  it("is told of after a quarantine", async () => {
    await refusal();
    await platform.database.owner.query(
      "update capabilities set active = false where slug = 'test-question'",
    );
    await until(async () => (await call()).body.error === "quarantined");
    await platform.database.owner.query("update capabilities set active = true where slug = 'test-question'");
    await until(async () => (await call()).body.error === "model_unavailable");
  });

  it("fails at once the calls that waited in the queue when it died, refunded", async () => {
    await refusal();
    await platform.database.owner.query(
      "update model_circuits set open_until = clock_timestamp() - interval '1 ms'",
    );
    await letPass(SEEN_MS);
    const ids = await Promise.all(
      Array.from({ length: 6 }, () => begin(platform, account.key, "test-question", TEXT)),
    );
    const ends = await Promise.all(ids.map((id) => ended(platform, account.key, id)));
    for (const end of ends) expect(end).toMatchObject({ error: "model_unavailable", refunded: true });
    expect(await balance(platform, account.id)).toBe(FUNDS);
  });

  it("is asked again after a while, and then all calls are taken again", async () => {
    await firstRefusal();
    models.behave(good);
    await until(async () => (await call()).status === 200);
    const ends = await Promise.all(Array.from({ length: 8 }, () => call()));
    expect(ends.map((end) => end.status)).toEqual(ends.map(() => 200));
  });
});
