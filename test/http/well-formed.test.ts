import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { LIMITS } from "../../src/core/limits.ts";
import { entries } from "../support/calls.ts";
import { changeLimits } from "../support/limits.ts";
import { expectError, expectErrorShape, rawConnection } from "./support.ts";

const MIB = 1_048_576;

let platform: TestPlatform;
let key: string;
let accountId: string;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
  ({ key, id: accountId } = await platform.account(1_000));
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

/** What the server says to these lines, with the key and a body of `{}`. */
async function say(head: string): Promise<Answer> {
  const said = await rawConnection(
    platform,
    `${head}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    5_000,
  );
  const [top = "", body = ""] = said.split("\r\n\r\n");
  const [line = "", ...lines] = top.split("\r\n");
  const headers = new Headers(
    lines.map((text): [string, string] => [text.split(": ")[0] ?? "", text.slice(text.indexOf(":") + 2)]),
  );
  return { status: Number(line.split(" ")[1]), headers, body: body === "" ? "" : JSON.parse(body) };
}
const CALL = "POST /api/call/test-inline HTTP/1.1\r\nHost: a";
const authorization = (): string => `Authorization: Bearer ${key}`;

describe("what is no request", () => {
  it.each([
    ["GET /api/capabilities?q=käse HTTP/1.1", 400, "percent-encode"],
    ["GET /api/capabilities?q=a b HTTP/1.1", 400, "percent-encode"],
    ["BREW / HTTP/1.1", 400, "method"],
    ["GET / HTTP/3.0", 400, "HTTP/1.1"],
    ["POST / HTTP/1.1\r\nContent-Length: abc", 400, "Content-Length"],
    ["CONNECT a:1 HTTP/1.1", 405, "proxy"],
  ])("is told what is wrong: %j", async (head, status, why) => {
    const answer = await say(`${head}\r\nHost: a`);
    expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(why) } });
  });
});

describe("a header that a request has once", () => {
  it.each([
    ["Idempotency-Key: a\r\nIdempotency-Key: b", "Idempotency-Key"],
    ["Idempotency-Key: a\r\nidempotency-key: a", "Idempotency-Key"],
    ["Max-Price: 5\r\nMax-Price: 6", "Max-Price"],
    ["Content-Type: application/json", "Content-Type"],
    ["Host: b", "Host"],
  ])("is refused twice: %j", async (more, name) => {
    const before = await entries(platform, accountId);
    const answer = await say(`${CALL}\r\n${authorization()}\r\n${more}`);
    expectError(answer, 400, "invalid_input");
    expect(answer.body.issues).toEqual([{ path: name, message: "must be given once" }]);
    expect(await entries(platform, accountId)).toEqual(before);
  });

  it("is refused twice also as Last-Event-ID of a stream", async () => {
    const answer = await say(
      `GET /api/calls/call_1/events HTTP/1.1\r\nHost: a\r\n${authorization()}\r\nLast-Event-ID: 1\r\nLast-Event-ID: 2`,
    );
    expectError(answer, 400, "invalid_input");
    expect(answer.body.issues[0].path).toBe("Last-Event-Id");
  });

  it("makes no key where there are two", async () => {
    const other = (await platform.account()).key;
    for (const second of [authorization(), `Authorization: Bearer ${other}`])
      expectError(await say(`${CALL}\r\n${authorization()}\r\n${second}`), 401, "unauthorized");
    expectError(await say(`${CALL}\r\nX-API-Key: ${key}\r\nX-API-Key: ${key}`), 401, "unauthorized");
  });

  it("may be given twice where it is a list", async () => {
    const answer = await say(`${CALL}\r\n${authorization()}\r\nPrefer: handling=strict\r\nPrefer: wait=7`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("preference-applied")).toBe("wait=7");
  });
});

describe("an Idempotency-Key", () => {
  it.each(["schlüssel", "\u00a0", "a\tb", "日本", "emoji 🎉"])(
    "outside printable ASCII is 400: %j",
    async (name) => {
      const before = await entries(platform, accountId);
      // As UTF-8, in which clients write it, and which no server that reads Latin-1 gives back.
      const answer = await say(`${CALL}\r\n${authorization()}\r\nIdempotency-Key: ${name}`);
      expectError(answer, 400, "invalid_input");
      expect(answer.body.issues).toEqual([
        { path: "Idempotency-Key", message: expect.stringContaining("ASCII") },
      ]);
      expect(await entries(platform, accountId)).toEqual(before);
    },
  );

  it("may hold every other character, and is found again", async () => {
    const name = ` !"#$%&'()*+,-./09:;<=>?@AZ[\\]^_\`az{|}~`.trim();
    const answer = await say(`${CALL}\r\n${authorization()}\r\nIdempotency-Key: ${name}`);
    expect(answer.status).toBe(200);
    const found = await platform.request("GET", `/api/calls?idempotency_key=${encodeURIComponent(name)}`, {
      key,
    });
    expect(found.body.calls.map(({ call_id }: { call_id: string }) => call_id)).toEqual([
      answer.body.call_id,
    ]);
  });
});

describe("a request without a body of its own", () => {
  it("and without a Host is 400 in the shape of every other error, but for HTTP/1.0", async () => {
    const without = await say("GET /healthz HTTP/1.1");
    expectError(without, 400, "invalid_input");
    expect(without.body.issues).toEqual([{ path: "Host", message: "must be given once" }]);
    expect((await say("GET /healthz HTTP/1.0")).status).toBe(200);
  });

  it("that expects what nobody knows is 417 in the shape of every other error", async () => {
    const answer = await say(`${CALL}\r\n${authorization()}\r\nExpect: 200-ok`);
    expectError(answer, 417, "expectation_failed");
  });
});

describe("a Content-Encoding", () => {
  it.each(["gzip", "br", "deflate", "zstd", "x", "gzip, identity"])("of %s is 415", async (encoding) => {
    const body = encoding === "gzip" ? gzipSync("{}").toString("latin1") : "{}";
    for (const path of ["/api/call/test-inline", "/api/keys"]) {
      const answer = await platform.request("POST", path, {
        key,
        body,
        headers: { "content-encoding": encoding },
      });
      expectError(answer, 415, "unsupported_media_type");
      expect(answer.body.message).toContain("Content-Encoding");
    }
  });

  it("of identity is none", async () => {
    const headers = { "content-encoding": "identity" };
    expect((await platform.request("POST", "/api/call/test-inline", { key, body: {}, headers })).status).toBe(
      200,
    );
  });
});

/** Sends all of a body before it reads: how many clients do it. Gives the status, or the error. */
async function sendAll(
  bytes: number,
  headers: Record<string, string>,
  path = "/api/call/test-inline",
): Promise<number | string> {
  const { hostname, port } = new URL(platform.baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const failed = new Promise<string>((resolve) =>
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(String(error.code))),
  );
  const sent = new Promise<undefined>((resolve) => {
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${lines.join("")}\r\n`,
    );
    const chunked = headers["Transfer-Encoding"] === "chunked";
    const body = Buffer.alloc(bytes, 97);
    if (chunked) socket.write(`${bytes.toString(16)}\r\n`);
    socket.write(body, () => resolve(undefined));
    if (chunked) socket.write("\r\n0\r\n\r\n");
  });
  const error = await Promise.race([sent, failed]);
  if (error !== undefined) return error;
  const said = await new Promise<string>((resolve) =>
    socket.once("data", (data) => resolve(data.toString())),
  );
  socket.destroy();
  return Number(said.split(" ")[1]);
}

describe("a body over its limit", () => {
  it.each([8, 50])("of %i MiB gets its 413 from a client that writes all before it reads", async (mib) => {
    const length = { "Content-Length": String(mib * MIB) };
    for (const more of [
      { ...length },
      { ...length, Connection: "close" },
      { "Transfer-Encoding": "chunked" },
    ] as Record<string, string>[]) {
      const status = await sendAll(mib * MIB, { Authorization: `Bearer ${key}`, ...more });
      expect([more, status]).toEqual([more, 413]);
    }
  });

  it("gets the answer of its own to whatever else is wrong with it", async () => {
    const length = { "Content-Length": String(8 * MIB), Connection: "close" };
    expect(await sendAll(8 * MIB, length)).toBe(401);
    expect(await sendAll(8 * MIB, { ...length, Authorization: `Bearer ${key}` }, "/nothing")).toBe(404);
  });

  it("gets it from node:http and fetch as well", async () => {
    const body = Buffer.alloc(20 * MIB, 97);
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    for (let n = 0; n < 3; n++) {
      const answer = await fetch(`${platform.baseUrl}/api/call/test-inline`, {
        method: "POST",
        headers,
        body,
      });
      expect(answer.status).toBe(413);
      expectErrorShape({ status: 413, headers: answer.headers, body: await answer.json() });
      const status = await new Promise((resolve) => {
        const request = httpRequest(
          `${platform.baseUrl}/api/call/test-inline`,
          { method: "POST", headers },
          (response) => {
            response.resume();
            resolve(response.statusCode);
          },
        );
        request.on("error", resolve);
        request.end(body);
      });
      expect(status).toBe(413);
    }
  });

  it("that never comes is answered all the same", async () => {
    const { hostname, port } = new URL(platform.baseUrl);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(
      `POST /api/call/test-inline HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${authorization()}\r\nContent-Length: ${8 * MIB}\r\n\r\n`,
    );
    const said = await new Promise<string>((resolve) =>
      socket.once("data", (data) => resolve(data.toString())),
    );
    socket.destroy();
    expect(said).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe("a body that comes byte by byte", () => {
  const { bodyArrivalMs, lingerMs } = LIMITS;
  beforeAll(() => changeLimits({ bodyArrivalMs: 300, lingerMs: 100 }));
  afterAll(() => changeLimits({ bodyArrivalMs, lingerMs }));

  it("is refused when its time is over, and its connection ends", async () => {
    const { hostname, port } = new URL(platform.baseUrl);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => undefined);
    socket.write(
      "POST /api/accounts HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n",
    );
    const drip = setInterval(() => socket.write(" "), 20);
    let said = "";
    socket.on("data", (data) => (said += data.toString()));
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(drip);
    expect(said).toMatch(/^HTTP\/1\.1 400 .*did not arrive within/s);
  });
});

describe("a name", () => {
  it.each(["a\u0007b", "a\nb", "\u202eevil", "a\u2066b", "a\u200fb", "a\u2028b", "a\u009bb"])(
    "is refused with what cannot be seen: %j",
    async (name) => {
      for (const [path, options] of [
        ["/api/accounts", { body: { name } }],
        ["/api/keys", { key, body: { name } }],
      ] as const) {
        const answer = await platform.request("POST", path, options);
        expectError(answer, 400, "invalid_input");
        expect(answer.body.issues[0].path).toBe("name");
      }
    },
  );

  it.each(["Zoë", "日本語", "שלום", "👩\u200d🚀", "می\u200cخواهم"])(
    "may be in any script: %j",
    async (name) => {
      const answer = await platform.request("POST", "/api/accounts", { body: { name } });
      expect(answer).toMatchObject({ status: 201, body: { account: { name } } });
    },
  );
});
