import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ASYNC, ended } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { expectError } from "./support.ts";

let platform: TestPlatform;
let key: string;
beforeAll(async () => {
  platform = await startTestPlatform();
  ({ key } = await platform.account(10_000));
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

const call = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  platform.request("POST", `/api/call/${path}`, { key, body, headers });

describe("the envelope's warnings", () => {
  it("name a field that an inline call does not know, with the nearest, and keep it with the call", async () => {
    const { status, body } = await call("safety-scrub", { text: "hello", txet: "x", zzzzzz: 1 });
    expect(status).toBe(200);
    const told = ["unknown field `txet`; did you mean `text`?", "unknown field `zzzzzz`"];
    expect(body.warnings).toEqual(told);
    expect(await ended(platform, key, body.call_id)).toMatchObject({ warnings: told });
  });

  it("are left out where there is nothing to tell, also of aliases and of null", async () => {
    for (const body of [{ text: "a" }, { content: "a" }, { text: null, input: "a" }])
      expect((await call("safety-scrub", body)).body).not.toHaveProperty("warnings");
  });

  it("stand in the 202 of a queued call and in the list, and in a replay", async () => {
    const headers = { ...ASYNC, "idempotency-key": "one" };
    const told = ["unknown field `mod`; did you mean `mode`?"];
    const first = await call("test-work", { mod: "sleep" }, headers);
    const again = await call("test-work", { mod: "sleep" }, headers);
    for (const { body } of [first, again])
      expect(body).toMatchObject({ call_id: first.body.call_id, warnings: told });
    expect(await ended(platform, key, first.body.call_id)).toMatchObject({
      status: "succeeded",
      warnings: told,
    });
    const { body } = await platform.request("GET", "/api/calls?slug=test-work", { key });
    expect(body.calls[0]).toMatchObject({ warnings: told });
  });

  it("stand in the envelope of a call that failed, and of one whose body a thread read", async () => {
    const failed = await call("test-inline", { mode: "fault", mod: "fault" });
    expect(failed.body).toMatchObject({ ok: false, warnings: ["unknown field `mod`; did you mean `mode`?"] });
    const long = await call("safety-scrub", { text: "a ".repeat(50_000), txt: 1 });
    expect(long.body.warnings).toEqual(["unknown field `txt`; did you mean `text`?"]);
  });

  it("name what of a query a call does not know", async () => {
    const { body } = await call("safety-scrub?webhok=https://a.test/", { text: "a" });
    expect(body.warnings).toEqual(["unknown query parameter `webhok`; did you mean `webhook`?"]);
  });

  it("say what was taken in place of a value that is not known", async () => {
    const { body } = await call("install-matrix", { server_url: "https://a.test/mcp", transport: "htpp" });
    expect(body.warnings).toEqual(['`transport`: "htpp" is not known here; `streamable-http` is taken']);
  });

  it("stand in cam-forge's result, with what it replaced", async () => {
    const { status, body } = await call("cam-forge", {
      widht: 3,
      lattice: "zzz",
      width: "60",
      height: 60,
      inline: false,
    });
    expect(status).toBe(200);
    expect(body.result.warnings).toEqual([
      "unknown field `widht`; did you mean `width`?",
      '`lattice`: "zzz" is not known here; `hexpack` is taken',
    ]);
    expect(body.result.params).toMatchObject({ width: 60, lattice: "hexpack" });
  });
});

describe("the platform's own routes", () => {
  it.each([
    ["POST", "/api/accounts", { handel: "ada" }, ["unknown field `handel`; did you mean `handle`?"]],
    [
      "GET",
      "/api/account/ledger?curency=USD",
      undefined,
      ["unknown query parameter `curency`; did you mean `currency`?"],
    ],
    [
      "GET",
      "/api/calls?statsu=running",
      undefined,
      ["unknown query parameter `statsu`; did you mean `status`?"],
    ],
    [
      "GET",
      "/api/capabilities?catgory=memory",
      undefined,
      ["unknown query parameter `catgory`; did you mean `category`?"],
    ],
    ["GET", "/api/capabilities/cam-forge?full=1", undefined, ["unknown query parameter `full`"]],
    ["GET", "/api/account?limit=1", undefined, ["unknown query parameter `limit`"]],
  ])("tell in their answer what they do not know: %s %s %j", async (method, path, body, told) => {
    const answer = await platform.request(method, path, { key, body });
    expect(answer.status).toBeLessThan(300);
    expect(answer.body.warnings).toEqual(told);
  });

  it("tell it beside the envelope of a call, too", async () => {
    const made = await call("safety-scrub", { text: "a", b: 1 });
    const { body } = await platform.request("GET", `/api/calls/${made.body.call_id}?wiat=3`, { key });
    expect(body.warnings).toEqual([
      "unknown field `b`",
      "unknown query parameter `wiat`; did you mean `wait`?",
    ]);
  });

  it("say nothing where all is known", async () => {
    for (const path of [
      "/api/capabilities?limit=2",
      "/api/calls?limit=1&status=queued",
      "/api/account",
      "/api/keys",
    ])
      expect((await platform.request("GET", path, { key })).body).not.toHaveProperty("warnings");
  });
});

describe("a refusal", () => {
  it.each([
    ["safety-scrub", {}, "`text` is required and must be a string."],
    ["safety-scrub", { text: 5 }, "`text` must be a string."],
    [
      "structured-extract",
      { text: "a", shape: 5 },
      "`shape` must be an object, or a text that is not empty.",
    ],
    ["test-work", { mode: "dance" }, /^`mode` must be one of `\w+`, /],
    ["task-orchestrate", { task: "a", tools: [] }, "`tools` must not be empty."],
    ["task-orchestrate", { task: "a", tools: [""] }, "`tools.0`: A tool has a name."],
    ["personalize", { profile: {}, content: "a", goal: "b" }, "`content` must be a list."],
    ["cam-forge", { wall: 20 }, "`wall` must be less than pitch."],
  ])("of %s speaks of the field: %j", async (slug, body, message) => {
    const answer = await call(slug, body);
    expectError(answer, 400, "invalid_input");
    expect(answer.body.message).toEqual(
      typeof message === "string" ? message : expect.stringMatching(message),
    );
  });

  it.each([
    [
      "POST",
      "/api/keys",
      { name: "a", spend_limt: {} },
      "The input must not have the field `spend_limt` (did you mean `spend_limit`?).",
    ],
    [
      "POST",
      "/api/keys",
      { spend_limit: { currency: "MESH", amount: 1, period: "day", peroid: "day" } },
      "`spend_limit` must not have the field `peroid` (did you mean `period`?).",
    ],
    [
      "POST",
      "/api/keys",
      { expires_at: "soon" },
      "`expires_at` must be a time in ISO 8601, such as 2026-01-31T12:00:00Z.",
    ],
    [
      "POST",
      "/api/keys",
      { spend_limit: { currency: "EUR" } },
      "`spend_limit.currency` must be one of `MESH` or `USD`.",
    ],
    [
      "POST",
      "/api/keys",
      { spend_limit: { currency: "USD", amount: "x", period: "day" } },
      '`spend_limit.amount` must be an amount such as "5.00".',
    ],
    ["GET", "/api/calls?limit=many", undefined, "`limit` must be a number."],
    ["GET", "/api/calls?limit=0", undefined, "`limit` must be at least 1."],
    [
      "POST",
      "/api/audit/consent",
      { asset: "www.example.com", attest_ownership: false, accept_terms: true },
      "`attest_ownership` must be `true`.",
    ],
  ])("of %s %s %j speaks of the field", async (method, path, body, message) => {
    const answer = await platform.request(method, path, { key, body });
    expectError(answer, 400, "invalid_input");
    expect(answer.body.message).toBe(message);
  });

  it.each(["wait=soon", "wait", "wait=", "wait=-1", "respond-async, wait=x", 'wait="5'])(
    "of Prefer: %s says what it takes",
    async (prefer) => {
      const answer = await call("safety-scrub", { text: "a" }, { prefer });
      expectError(answer, 400, "invalid_input");
      expect(answer.body.issues[0].path).toBe("Prefer");
    },
  );

  it.each([
    ["wait=2.5", "wait=2.5"],
    ['wait="3"; x=y', "wait=3"],
    ["handling=strict, wait = 4", "wait=4"],
    ["waiting=soon", null],
  ])("is not made of Prefer: %s", async (prefer, applied) => {
    const { status, headers } = await call("safety-scrub", { text: "a" }, { prefer });
    expect(status).toBe(200);
    expect(headers.get("preference-applied")).toBe(applied);
  });

  it("of a misspelt slug names the nearest", async () => {
    for (const answer of [
      await call("safty-scrub", {}),
      await platform.request("GET", "/api/capabilities/safty-scrub"),
    ]) {
      expectError(answer, 404, "unknown_capability");
      expect(answer.body.did_you_mean).toEqual(["safety-scrub"]);
      expect(answer.body.message).toContain("Did you mean `safety-scrub`?");
    }
    const far = await call("nothing-like-it", {});
    expectError(far, 404, "unknown_capability");
    expect(far.body).not.toHaveProperty("did_you_mean");
  });
});
