import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newKey } from "../../src/core/accounts/keys.ts";
import { createMarketplaceApp } from "../../src/http/marketplace/app.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

const SECRET = "correct horse battery staple";

let platform: TestPlatform;
let app: FastifyInstance;
let baseUrl: string;
const lines: string[] = [];
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
  const logger = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  app = await createMarketplaceApp(platform.services, { logger, trustProxy: false });
  baseUrl = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await app.close();
  await platform.stop();
});

async function send(method: string, path: string, key: string, body?: string): Promise<string> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      "x-api-key": key,
      cookie: SECRET,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return await response.text();
}

describe("the log", () => {
  it("holds no key, no body and no header, at its most talkative and when things go wrong", async () => {
    const { key } = await platform.account(100);
    const stranger = newKey();
    const { owner } = platform.database;
    for (const who of [key, stranger, `mf_${SECRET}`]) {
      await send("POST", "/api/call/test-inline", who, JSON.stringify({ text: SECRET }));
      await send("POST", "/api/call/test-inline", who, JSON.stringify({ text: SECRET, mode: "fault" }));
      await send("POST", "/api/call/test-inline", who, `{"text":"${SECRET}`);
      await send("POST", "/api/call/no-such", who, JSON.stringify({ text: SECRET }));
      await send("POST", "/api/keys", who, JSON.stringify({ name: SECRET }));
      await send("GET", `/api/calls?slug=${encodeURIComponent(SECRET)}`, who);
      await send("GET", "/nothing", who);
    }
    // The database refuses the row of the call, and says which one.
    await owner.query("alter table calls add constraint planted check (slug <> 'test-work') not valid");
    const told = await send("POST", "/api/call/test-work", key, JSON.stringify({ text: SECRET }));
    await owner.query("alter table calls drop constraint planted");
    expect(JSON.parse(told).error).toBe("internal_error");
    expect(told).not.toContain("planted");

    const log = lines.join("");
    expect(log).toContain("planted");
    for (const secret of [key, stranger, key.slice(9), SECRET]) expect(log).not.toContain(secret);
  });
});

describe("a stream URL", () => {
  it("stands in no line of the log, whether it is good, bad, or for another path", async () => {
    const { key } = await platform.account(100);
    const { body } = await platform.request("POST", "/api/call/test-work", {
      key,
      body: {},
      headers: { prefer: "respond-async" },
    });
    await platform.request("POST", `/api/calls/${body.call_id}/cancel`, { key });
    const token = new URL(body.stream_url).searchParams.get("token") ?? "";
    expect(token).toMatch(/^[\w.-]{50,}$/);
    for (const path of [
      `/api/calls/${body.call_id}/events?token=${token}`,
      `/api/calls/${body.call_id}/events?token=${token}&lastEventId=x`,
      `/api/calls/call_0/events?token=${token}`,
      `/api/calls/${body.call_id}?token=${token}`,
      `/nothing?token=${token}`,
      `/api/calls/%zz?token=${token}`,
    ]) {
      const answer = await fetch(`${baseUrl}${path}`);
      expect(await answer.text(), path).not.toContain(token);
    }
    await send("GET", `/api/calls/${body.call_id}/events?token=${token}`, key);
    expect(lines.join("")).not.toContain(token);
  });
});

describe("an answer", () => {
  it("that carries a key or an account's data is kept by no cache", async () => {
    const opened = await platform.request("POST", "/api/accounts", { body: {} });
    expect(opened.headers.get("cache-control")).toBe("no-store");
    const key: string = opened.body.api_key;
    for (const [method, path, body] of [
      ["GET", "/api/account"],
      ["GET", "/api/account/ledger"],
      ["GET", "/api/keys"],
      ["POST", "/api/keys", {}],
      ["POST", "/api/webhooks/secret"],
      ["GET", "/api/webhooks/deliveries"],
      ["GET", "/api/calls"],
      ["POST", "/api/call/test-inline", {}],
      ["GET", "/api/calls/call_1"],
    ] as const) {
      const { headers } = await platform.request(method, path, { key, body });
      expect(headers.get("cache-control"), path).toBe("no-store");
    }
    const open = await platform.request("GET", "/api/capabilities");
    expect(open.headers.get("cache-control") ?? "").not.toContain("no-store");
  });

  it("never holds the key that it was asked with", async () => {
    const { key } = await platform.account(100);
    for (const [method, path] of [
      ["GET", "/api/account"],
      ["GET", "/api/keys"],
      ["GET", "/api/calls"],
      ["GET", "/nothing"],
      ["POST", "/api/keys"],
    ] as const) {
      expect(await send(method, path, key)).not.toContain(key);
    }
  });

  it("of a handler that throws tells nothing of what it threw", async () => {
    const { key } = await platform.account(100);
    const answer = await send("POST", "/api/call/test-inline", key, JSON.stringify({ mode: "throw" }));
    expect(JSON.parse(answer)).toMatchObject({ error: "internal_error", refunded: true });
    expect(answer).not.toContain("secret of the handler");
  });
});
