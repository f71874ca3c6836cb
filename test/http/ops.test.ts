import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POOLS } from "../../src/core/catalog/define.ts";
import { createOpsApp } from "../../src/http/ops/app.ts";
import { createToolApiApp } from "../../src/http/tool-api/app.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { expectError } from "./support.ts";

const TOKEN = "an-operators-token";
const logger = pino({ level: "silent" });

let platform: TestPlatform;
let guarded: FastifyInstance;
let open: FastifyInstance;
let toolApi: FastifyInstance;
const addresses = new Map<FastifyInstance, string>();
beforeAll(async () => {
  platform = await startTestPlatform();
  const { db } = platform.runtime;
  guarded = await createOpsApp({ db, token: TOKEN }, { logger });
  open = await createOpsApp({ db, token: null }, { logger });
  toolApi = await createToolApiApp("http://localhost:4001", { logger, trustProxy: false });
  for (const app of [guarded, open, toolApi])
    addresses.set(app, await app.listen({ port: 0, host: "127.0.0.1" }));
});
afterAll(async () => {
  await Promise.all([guarded.close(), open.close(), toolApi.close()]);
  await platform.stop();
});

async function get(app: FastifyInstance, path: string, token?: string): Promise<Answer> {
  const response = await fetch(`${addresses.get(app)}${path}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

describe("the operations surface", () => {
  it("says that the process answers, without a token", async () => {
    for (const app of [guarded, open]) expect((await get(app, "/healthz")).body).toEqual({ ok: true });
  });

  it("says that the database answers", async () => {
    expect(await get(open, "/readyz")).toMatchObject({ status: 200, body: { ok: true } });
    expect((await get(guarded, "/readyz", TOKEN)).status).toBe(200);
  });

  it.each(["/readyz", "/pools", "/nothing"])("asks for its token at %s", async (path) => {
    for (const wrong of [undefined, "", "wrong", `${TOKEN}x`, TOKEN.slice(1)]) {
      const answer = await get(guarded, path, wrong);
      expectError(answer, 401, "unauthorized");
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
    }
  });

  it("shows every pool with what it does", async () => {
    const { key } = await platform.account(50);
    for (let n = 0; n < 5; n++) await platform.request("POST", "/api/call/test-work", { key, body: {} });
    await platform.request("POST", "/api/call/test-work", { key, body: { mode: "fault" } });
    const { pools } = (await get(guarded, "/pools", TOKEN)).body;
    expect(pools.map(({ pool }: { pool: string }) => pool)).toEqual(POOLS);
    const brain = pools.find(({ pool }: { pool: string }) => pool === "brain");
    expect(brain).toEqual({
      pool: "brain",
      queued: 0,
      running: 0,
      oldest_age_ms: null,
      workers: 1,
      slots: 8,
      done_last_minute: 5,
      failed_last_minute: 1,
      wait_p50_ms: expect.any(Number),
      wait_p99_ms: expect.any(Number),
      run_p50_ms: expect.any(Number),
      run_p99_ms: expect.any(Number),
    });
  });

  it.each(["/readyz", "/pools", "/metrics", "/admin/queues"])(
    "is not public: %s is 404 there",
    async (path) => {
      expectError(await platform.request("GET", path), 404, "not_found");
      expectError(await get(toolApi, path), 404, "not_found");
    },
  );

  it("is alone: accounts and calls are not served on it", async () => {
    for (const path of ["/api/accounts", "/api/capabilities", "/openapi.json"]) {
      expectError(await get(open, path), 404, "not_found");
    }
  });
});

describe("both public surfaces", () => {
  it("serve their health, their description and their docs", async () => {
    expect((await platform.request("GET", "/healthz")).body).toEqual({ ok: true });
    expect((await get(toolApi, "/healthz")).body).toEqual({ ok: true });
    expect((await get(toolApi, "/openapi.json")).body).toMatchObject({
      openapi: "3.0.0",
      info: { version: "1.0.0" },
    });
    expect((await fetch(`${addresses.get(toolApi)}/docs`)).status).toBe(200);
  });
});
