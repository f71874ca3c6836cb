import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { asAnswer, expectErrorShape, rawRequest } from "./support.ts";

const RUNS = { numRuns: 150 };

let platform: TestPlatform;
let key: string;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
  ({ key } = await platform.account(1_000_000));
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

/** What finds faults that plain random text misses. */
const nasty = fc.constantFrom(
  "", " ", "\0", "%00", "\ud800", "\u202e", "💣", "null", "undefined", "NaN", "-0", "1e999", "0x10", "'", '"', "\\", "'; select 1; --",
  "${7*7}", "{{7*7}}", "../../etc/passwd", "<script>", "__proto__", "constructor", "toString", "\r\nX: y", "a".repeat(5_000),
  "9007199254740993", "-1", "true", "[]", "{}", "2026-01-01T00:00:00Z", "led_ffffffffffffffff", "call_0", "MESH", "USD",
); // prettier-ignore
const text = fc.oneof(nasty, fc.string(), fc.string({ unit: "binary" }));
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -1, 1e308, -1e308, 2 ** 53, 0.1));
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4 }),
  ),
}));
/** Objects with the keys that the endpoints look for, and others. */
const body = (...keys: readonly string[]) =>
  fc.oneof(
    json,
    fc.dictionary(
      fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...keys) }, { weight: 1, arbitrary: text }),
      json,
      { maxKeys: 6 },
    ),
  );
/** Header values that Node's client sends at all. */
const header = text.map((value) => value.replace(/[^\t\x20-\x7e\x80-\xff]/g, ""));

async function check(
  method: string,
  path: string,
  rest: { headers?: Record<string, string>; body?: string },
): Promise<number> {
  const raw = await rawRequest(platform, method, path, rest);
  expect(raw.status, `${method} ${path} ${JSON.stringify(rest)}`).not.toBe(500);
  if (raw.status >= 400) {
    const answer = asAnswer(raw);
    if (answer.body.call_id === undefined) expectErrorShape(answer);
  }
  return raw.status;
}
const authorized = (headers: Record<string, string> = {}): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  "content-type": "application/json",
  ...headers,
});

describe("whatever comes in, the answer is a documented one and never a 500", () => {
  it.each([
    ["/api/call/test-inline", ["mode", "text"]],
    [
      "/api/call/cam-forge",
      ["format", "width", "height", "pitch", "wall", "margin", "seed", "shape", "inline"],
    ],
    ["/api/accounts", ["handle", "name"]],
    ["/api/keys", ["name", "expires_at", "spend_limit", "currency", "amount", "period"]],
  ])("in the body of POST %s", async (path, keys) => {
    await fc.assert(
      fc.asyncProperty(body(...keys), async (value) => {
        const headers = authorized({ prefer: "respond-async" });
        const status = await check("POST", path, { headers, body: JSON.stringify(value) });
        expect([200, 201, 202, 400, 409, 422, 429, 402]).toContain(status);
      }),
      RUNS,
    );
  });

  it("in the bytes of a body", async () => {
    const seed = '{"text":"a","mode":"echo","more":[1,{"b":"\\u00e4"}]}';
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.nat(seed.length),
            fc.oneof(text, fc.constantFrom("{", "}", "[", "]", ",", ":", '"', "\\")),
          ),
          { maxLength: 3 },
        ),
        async (edits) => {
          let mutated = seed;
          for (const [at, piece] of edits) mutated = mutated.slice(0, at) + piece + mutated.slice(at + 1);
          await check("POST", "/api/call/test-inline", { headers: authorized(), body: mutated });
        },
      ),
      RUNS,
    );
  });

  it("in the headers of a call", async () => {
    const names = [
      "idempotency-key",
      "max-price",
      "prefer",
      "content-type",
      "if-none-match",
      "accept",
      "x-api-key",
      "origin",
      "last-event-id",
      "x-forwarded-for",
    ];
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), header, { maxKeys: 4 }), async (headers) => {
        await check("POST", "/api/call/test-inline", { headers: authorized(headers), body: "{}" });
      }),
      RUNS,
    );
  });

  it("as a key", async () => {
    await fc.assert(
      fc.asyncProperty(header, fc.boolean(), async (value, bearer) => {
        const headers = bearer ? { authorization: `Bearer ${value}` } : { "x-api-key": value };
        expect(await check("GET", "/api/account", { headers })).toBe(401);
      }),
      RUNS,
    );
  });

  it("in paths and queries", async () => {
    const paths = [
      "/api/calls/",
      "/api/capabilities/",
      "/api/keys/",
      "/artifacts/",
      "/api/calls?slug=",
      "/api/calls?before=",
      "/api/calls?status=",
      "/api/calls?limit=",
      "/api/calls?idempotency_key=",
      "/api/account/ledger?before=",
      "/api/account/ledger?currency=",
      "/api/capabilities?q=",
      "/api/capabilities?category=",
      "/api/calls/call_1?wait=",
      "/",
    ];
    const encoded = text.map((value) => encodeURIComponent(value.toWellFormed()));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        encoded,
        fc.constantFrom("GET", "POST", "DELETE", "PUT"),
        async (path, value, method) => {
          await check(method, `${path}${value}`, { headers: { authorization: `Bearer ${key}` } });
        },
      ),
      RUNS,
    );
  });
});
