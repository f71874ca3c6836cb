import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/core/limits.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { asAnswer, expectError, expectErrorShape, rawConnection, rawRequest } from "./support.ts";

const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const JSON_TYPE = { "content-type": "application/json" };

let platform: TestPlatform;
let key: string;
const tookMs = new Map<string, number>();
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
  ({ key } = await platform.account(1_000));
  await post("{}");
});
afterAll(async () => {
  const slowest = [...tookMs].toSorted(([, a], [, b]) => b - a).slice(0, 5);
  console.log("slowest refusals:", slowest.map(([what, ms]) => `${what} ${ms.toFixed(1)} ms`).join(", "));
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

async function post(
  body: string | Uint8Array,
  {
    path = "/api/call/test-inline",
    headers = JSON_TYPE,
  }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return asAnswer(
    await rawRequest(platform, "POST", path, {
      headers: { authorization: `Bearer ${key}`, ...headers },
      body,
    }),
  );
}

const sized = (bytes: number): string => `{"more":"${"x".repeat(bytes - 11)}"}`;
const balance = async (): Promise<number> =>
  (await platform.request("GET", "/api/account", { key })).body.balance;

/** Sends a body that must be refused: the documented shape, nothing charged; how long it took is noted, not judged. */
async function expectRefused(
  what: string,
  send: () => Promise<Answer>,
  status: number,
  code: string,
): Promise<void> {
  const before = await balance();
  const startedAt = performance.now();
  const answer = await send();
  tookMs.set(what, performance.now() - startedAt);
  expectError(answer, status, code);
  expect(await balance()).toBe(before);
}

const REFUSED_BODIES: ReadonlyMap<string, string | Uint8Array> = new Map<string, string | Uint8Array>([
  ["half an object", '{"text":'],
  ["a trailing comma", '{"text":"a",}'],
  ["a comment", '{/* */"text":"a"}'],
  ["single quotes", "{'text':'a'}"],
  ["two values", "{} {}"],
  ["NaN", '{"text":NaN}'],
  ["only white space", "  \n"],
  ["an array", "[]"],
  ["an array of objects", '[{"text":"a"}]'],
  ["a text", '"text"'],
  ["a number", "7"],
  ["null", "null"],
  ["true", "true"],
  ["a NUL in a value", String.raw`{"text":"a\u0000b"}`],
  ["a NUL in a key", String.raw`{"a\u0000":1}`],
  ["a NUL deep inside", String.raw`{"more":[{"a":["\u0000"]}]}`],
  ["a raw NUL", '{"text":"a\0b"}'],
  ["a lone high surrogate", String.raw`{"text":"\ud83d"}`],
  ["a lone low surrogate", String.raw`{"text":"\ude00a"}`],
  ["a lone surrogate in a key", String.raw`{"\udfff":1}`],
  ["__proto__", '{"__proto__":{"isAdmin":true}}'],
  ["__proto__ deep inside", '{"more":[{"__proto__":1}]}'],
  ["__proto__ in escapes", String.raw`{"\u005f\u005fproto__":1}`],
  ["constructor.prototype", '{"constructor":{"prototype":{"isAdmin":true}}}'],
  ["65 levels", `{"more":${nested(64)}}`],
  ["half a megabyte of brackets", nested(250_000)],
  ["half a megabyte of objects", `${'{"a":'.repeat(80_000)}1${"}".repeat(80_000)}`],
  ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ["an overlong encoding", Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
  ["a surrogate in UTF-8", Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
  ["UTF-16", Buffer.from('{"text":"a"}', "utf16le")],
  ["a wrong type", '{"text":7}'],
  ["a text that is too long", JSON.stringify({ text: "x".repeat(10_001) })],
  ["a megabyte of small values", `{"text":7,"more":[${"0,".repeat(500_000)}0]}`],
]);

describe("a body", () => {
  it.each([...REFUSED_BODIES.keys()])("of %s is 400, and nothing is charged", async (what) => {
    await expectRefused(what, () => post(REFUSED_BODIES.get(what) ?? ""), 400, "invalid_input");
  });

  it("names where its fault lies", async () => {
    const { body } = await post(String.raw`{"more":[1,{"a":"\u0000"}]}`);
    expect(body.issues).toEqual([{ path: "more.1.a", message: expect.any(String) }]);
  });

  it("may be nested 64 levels deep, of which the outermost is the first", async () => {
    expect((await post(`{"more":${nested(63)}}`)).status).toBe(200);
  });

  it("may hold any number of brackets in its texts", async () => {
    for (const text of ["[".repeat(90), '\\"[{'.repeat(20), "\\\\"]) {
      const answer = await post(`{"text":"${text}"}`);
      expect(answer.status).toBe(200);
      expect(answer.body.result.text).toBe(JSON.parse(`"${text}"`));
    }
  });

  it("that closes more than it opens is not JSON, however deep it goes", async () => {
    await expectRefused(
      "closed too often",
      () => post(`${"]".repeat(100)}${nested(70)}`),
      400,
      "invalid_input",
    );
  });

  it("may hold what only looks dangerous", async () => {
    for (const body of [
      '{"constructor":"x","prototype":{},"toString":1}',
      '{"text":"\\ud83d\\ude00"}',
      '{"a":{"constructor":{}}}',
    ]) {
      expect((await post(body)).status).toBe(200);
    }
  });

  it("that is empty is an empty object", async () => {
    expect((await post("")).status).toBe(200);
    expect((await post("", { headers: {} })).status).toBe(200);
  });

  it("may hold a number that no double can, also under an idempotency key", async () => {
    const answer = await post('{"more":1e999}', {
      headers: { ...JSON_TYPE, "idempotency-key": "huge-number" },
    });
    expect(answer.status).toBe(200);
  });

  it("may be as large as the limit and no larger, with a length or in chunks", async () => {
    expect((await post(sized(LIMITS.bodyBytes))).status).toBe(200);
    const chunked = { ...JSON_TYPE, "transfer-encoding": "chunked" };
    await expectRefused("a byte too much", () => post(sized(LIMITS.bodyBytes + 1)), 413, "payload_too_large");
    await expectRefused(
      "a byte too much in chunks",
      () => post(sized(LIMITS.bodyBytes + 1), { headers: chunked }),
      413,
      "payload_too_large",
    );
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/xml",
    "multipart/form-data; boundary=x",
    "application/jsonx",
    "nonsense",
    "",
  ])("of type %j is 415", async (type) => {
    await expectRefused(
      type,
      () => post("{}", { headers: { "content-type": type } }),
      415,
      "unsupported_media_type",
    );
  });

  it("is taken as JSON with parameters and in any case", async () => {
    for (const type of ["application/json; charset=utf-8", "Application/JSON"]) {
      expect((await post("{}", { headers: { "content-type": type } })).status).toBe(200);
    }
  });

  it("without a type is 415", async () => {
    await expectRefused("no type", () => post("{}", { headers: {} }), 415, "unsupported_media_type");
  });
});

describe("a request header", () => {
  it.each([
    ["max-price", "cheap"],
    ["max-price", ""],
    ["max-price", "-1"],
    ["max-price", "1e3"],
    ["max-price", "NaN"],
    ["idempotency-key", "k".repeat(256)],
    ["idempotency-key", ""],
  ])("%s: %j is 400", async (name, value) => {
    await expectRefused(
      name,
      () => post("{}", { headers: { ...JSON_TYPE, [name]: value } }),
      400,
      "invalid_input",
    );
  });

  it("idempotency-key may be 255 characters long", async () => {
    expect((await post("{}", { headers: { ...JSON_TYPE, "idempotency-key": "k".repeat(255) } })).status).toBe(
      200,
    );
  });

  it.each([";;;", "respond-async=maybe", "waiting=x", "handling=strict"])(
    "prefer: %j that means nothing is ignored, as RFC 7240 asks",
    async (prefer) => {
      const answer = await post("{}", { headers: { ...JSON_TYPE, prefer } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("preference-applied")).toBeNull();
    },
  );
});

describe("a path", () => {
  it.each([
    "/nothing",
    "/api",
    "/api/",
    "/api/accounts/",
    "/API/accounts",
    "/api/call",
    "/api/call/a/b",
    "//",
    "/%2e%2e/",
    "/robots.txt",
    "/.env",
  ])("%s that is unknown is a JSON 404", async (path) => {
    for (const method of ["GET", "POST", "DELETE"]) {
      expectError(asAnswer(await rawRequest(platform, method, path)), 404, "not_found");
    }
  });

  it("does not tell the query of an unknown path back", async () => {
    const { body } = await platform.request("GET", "/nothing?key=secret");
    expect(JSON.stringify(body)).not.toContain("secret");
  });

  it.each([
    ["GET", "/api/accounts", "POST"],
    ["PUT", "/api/accounts", "POST"],
    ["POST", "/api/account", "GET, HEAD"],
    ["GET", "/api/call/test-inline", "POST"],
    ["DELETE", "/api/call/no-such", "POST"],
    ["PATCH", "/api/keys", "GET, HEAD, POST"],
    ["GET", "/api/keys/key_1", "DELETE"],
    ["POST", "/openapi.json", "GET, HEAD"],
    ["DELETE", "/api/capabilities", "GET, HEAD"],
    ["POST", "/healthz", "GET, HEAD"],
  ])("%s %s is 405 and allows %s", async (method, path, allow) => {
    const answer = asAnswer(await rawRequest(platform, method, path));
    expectError(answer, 405, "method_not_allowed");
    expect(answer.headers.get("allow")).toBe(allow);
  });

  it("with a part that is too long for a name is 404", async () => {
    for (const [method, path] of [
      ["POST", "/api/call/"],
      ["GET", "/api/capabilities/"],
      ["GET", "/api/calls/"],
    ] as const) {
      expectError(await platform.request(method, `${path}${"a".repeat(5_000)}`, { key }), 404, "not_found");
    }
  });

  it.each(["/api/call/%", "/api/call/%zz", "/%c0%af", "/api/capabilities/%ff"])(
    "%s that is no URL is 400",
    async (path) => {
      expectError(asAnswer(await rawRequest(platform, "GET", path)), 400, "invalid_input");
    },
  );

  it.each([
    "/api/calls/%00",
    "/api/calls?slug=%00",
    "/api/calls?before=a%00b",
    "/api/account/ledger?before=%00",
    "/api/calls?idempotency_key=%00",
  ])("%s with a NUL is 400", async (path) => {
    expectError(await platform.request("GET", path, { key }), 400, "invalid_input");
  });

  it.each(["no-such", "Test-Inline", "__proto__", "constructor", "test-inline%20", "%F0%9F%98%80"])(
    "/api/call/%s that is no capability is 404, and nothing is charged",
    async (slug) => {
      await expectRefused(slug, () => post("{}", { path: `/api/call/${slug}` }), 404, "unknown_capability");
    },
  );
});

describe("what is not even a request", () => {
  it.each([
    ["nonsense", "HELLO\r\n\r\n"],
    ["a wrong version", "GET / HTTP/9.9\r\n\r\n"],
    ["a header without a colon", "GET /healthz HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n"],
    [
      "two lengths",
      "POST /api/accounts HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    ],
    [
      "a length and chunks",
      "POST /api/accounts HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
    ],
    ["headers without end", `GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(100_000)}\r\n\r\n`],
  ])("%s is answered in the same shape", async (_what, text) => {
    const said = await rawConnection(platform, text);
    const [head = "", body = ""] = said.split("\r\n\r\n");
    const [line = "", ...lines] = head.split("\r\n");
    expect(line).toMatch(/^HTTP\/1\.1 4\d\d /);
    const headers = new Headers(
      lines.map((header): [string, string] => [
        header.slice(0, header.indexOf(":")),
        header.slice(header.indexOf(":") + 1).trim(),
      ]),
    );
    expectErrorShape({ status: Number(line.split(" ")[1]), headers, body: JSON.parse(body) });
  });
});

describe("every answer", () => {
  const SECURITY = [
    "x-content-type-options",
    "content-security-policy",
    "strict-transport-security",
    "x-frame-options",
    "referrer-policy",
    "cross-origin-resource-policy",
  ];

  it.each([
    ["GET", "/healthz"],
    ["GET", "/api/capabilities"],
    ["GET", "/docs"],
    ["GET", "/openapi.json"],
    ["GET", "/nothing"],
    ["DELETE", "/api/accounts"],
    ["GET", "/api/account"],
    ["POST", "/api/call/test-inline"],
  ])("carries the security headers: %s %s", async (method, path) => {
    const { headers } = await rawRequest(platform, method, path);
    for (const name of SECURITY) expect(headers.get(name), name).not.toBeNull();
    expect(headers.get("x-powered-by")).toBeNull();
  });

  it("may be read by pages of any origin", async () => {
    const { headers } = await platform.request("GET", "/api/capabilities", {
      headers: { origin: "https://agent.example" },
    });
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-expose-headers")).toContain("Retry-After");
  });

  it("allows such pages to ask with a key, and to revoke one", async () => {
    const { status, headers } = await rawRequest(platform, "OPTIONS", "/api/keys/key_1", {
      headers: {
        origin: "https://agent.example",
        "access-control-request-method": "DELETE",
        "access-control-request-headers": "authorization, idempotency-key",
      },
    });
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-methods")).toContain("DELETE");
    expect(headers.get("access-control-allow-headers")).toBe("authorization, idempotency-key");
    expect((await rawRequest(platform, "OPTIONS", "/api/keys")).status).toBe(204);
  });
});
