import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POOLS } from "../../src/core/catalog/define.ts";
import { createOpsApp } from "../../src/http/ops/app.ts";
import { createToolApiApp } from "../../src/http/tool-api/app.ts";
import { LIMITS } from "../../src/core/limits.ts";
import { until } from "../support/until.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { asAnswer, expectError, rawConnection, rawRequest } from "./support.ts";

const TOKEN = "an-operators-token";
const pools = () => new Set(["inline", "brain", "cam"] as const);
const logger = pino({ level: "silent" });

let platform: TestPlatform;
let guarded: FastifyInstance;
let open: FastifyInstance;
let toolApi: FastifyInstance;
let stopping = false;
let storeTakes = true;
const addresses = new Map<FastifyInstance, string>();
beforeAll(async () => {
  platform = await startTestPlatform();
  const { db } = platform.runtime;
  const services = {
    db,
    pools,
    counters: platform.runtime.counters,
    connections: () => db.stats(),
    dispatcher: platform.runtime.dispatcher,
    store: { takes: () => Promise.resolve(storeTakes) },
    queued: false,
    allowedHosts: ["ops.example"],
    stopping: () => stopping,
  };
  const { bodies } = platform.services;
  guarded = await createOpsApp({ ...services, token: TOKEN }, { logger, bodies });
  open = await createOpsApp({ ...services, token: null }, { logger, bodies });
  toolApi = await createToolApiApp("http://localhost:4001", { logger, trustProxy: false, bodies });
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

const isBrain = ({ pool }: { readonly pool: string }): boolean => pool === "brain";

describe("the operations surface", () => {
  it("says that the process answers, without a token", async () => {
    for (const app of [guarded, open]) expect((await get(app, "/healthz")).body).toEqual({ ok: true });
  });

  it("says that calls can be served, and what does not work all the same", async () => {
    const { status, body } = await get(open, "/readyz");
    expect({ status, body }).toEqual({
      status: 200,
      body: { ok: true, degraded: [expect.stringMatching(/^no worker serves the pool system\b/)] },
    });
    const worker = await platform.addWorker([{ pool: "system", slots: 1 }]);
    expect((await get(open, "/readyz")).body).toEqual({ ok: true, degraded: [] });
    await worker.drain(0);
  });

  it("names a job that failed, and one that nobody runs", async () => {
    await platform.database.owner.query(
      `insert into schedules (name, every_ms, due_at, last_ran_at, last_failed_at)
       values ('broken', 1000, clock_timestamp(), clock_timestamp(), clock_timestamp()),
              ('forgotten', 1000, clock_timestamp() - interval '2 minutes', null, null)`,
    );
    const { degraded } = (await get(open, "/readyz")).body;
    expect(degraded).toContain("the last run of the job broken failed");
    expect(degraded).toContainEqual(expect.stringMatching(/^the job forgotten has not run for 12\d s$/));
    await platform.database.owner.query("delete from schedules where name in ('broken', 'forgotten')");
  });

  it("names an artifact store that takes nothing", async () => {
    storeTakes = false;
    const { status, body } = await get(open, "/readyz");
    storeTakes = true;
    expect(status).toBe(200);
    expect(body.degraded).toContainEqual(expect.stringMatching(/^the artifact store takes nothing\b/));
  });

  it("says its health without a token", async () => {
    for (const path of ["/healthz", "/readyz"]) expect((await get(guarded, path)).status).toBe(200);
  });

  it("is not ready once its process is about to stop", async () => {
    stopping = true;
    const answer = await get(open, "/readyz");
    stopping = false;
    expectError(answer, 503, "unavailable");
    expect((await get(open, "/healthz")).status).toBe(200);
  });

  it.each(["ops.example", "OPS.example:4002", "localhost", "127.0.0.1:1", "[::1]:4002"])(
    "answers to its name %s",
    async (host) => {
      const address = { baseUrl: addresses.get(open) ?? "" };
      expect((await rawRequest(address, "GET", "/pools", { headers: { host } })).status).toBe(200);
    },
  );

  it.each(["evil.example", "localhost.evil.example", "10.0.0.1", "ops.example.evil", ":4002"])(
    "answers nothing to the foreign name %s",
    async (host) => {
      const address = { baseUrl: addresses.get(open) ?? "" };
      for (const path of ["/healthz", "/readyz", "/pools", "/metrics"]) {
        expectError(
          asAnswer(await rawRequest(address, "GET", path, { headers: { host } })),
          403,
          "forbidden",
        );
      }
    },
  );

  it("answers nothing to no name at all", async () => {
    const address = { baseUrl: addresses.get(open) ?? "" };
    for (const [line, status] of [
      ["GET /pools HTTP/1.1\r\nHost:", 403],
      ["GET /pools HTTP/1.0\r\nHost: ", 403],
      ["GET /pools HTTP/1.0", 403],
      ["GET /pools HTTP/1.1", 400],
    ] as const) {
      const said = await rawConnection(address, `${line}\r\nConnection: close\r\n\r\n`, 5_000);
      expect(said.split("\r\n")[0]).toContain(` ${status} `);
    }
  });

  it("lets no page of another origin read it", async () => {
    for (const [method, headers] of [
      ["GET", { origin: "http://evil.example" }],
      ["OPTIONS", { origin: "http://evil.example", "access-control-request-method": "GET" }],
    ] as const) {
      const answer = await fetch(`${addresses.get(open)}/pools`, { method, headers });
      expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
  });

  it.each(["/metrics", "/pools", "/nothing"])("asks for its token at %s", async (path) => {
    for (const wrong of [undefined, "", "wrong", `${TOKEN}x`, TOKEN.slice(1)]) {
      const answer = await get(guarded, path, wrong);
      expectError(answer, 401, "unauthorized");
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
    }
  });

  it.each(["Bearer", "bearer", "BEARER"])("takes its token under the scheme %s", async (scheme) => {
    const headers = { authorization: `${scheme} ${TOKEN}` };
    expect((await fetch(`${addresses.get(guarded)}/pools`, { headers })).status).toBe(200);
  });

  it("shows every pool with what it does", async () => {
    const { key } = await platform.account(50);
    for (let n = 0; n < 5; n++) await platform.request("POST", "/api/call/test-work", { key, body: {} });
    await platform.request("POST", "/api/call/test-work", { key, body: { mode: "fault" } });
    const pools = await until(async () => {
      const { pools: seen } = (await get(guarded, "/pools", TOKEN)).body;
      const { done_last_minute: done, failed_last_minute: failed } = seen.find(isBrain);
      return done + failed === 6 && seen;
    });
    expect(pools.map(({ pool }: { pool: string }) => pool)).toEqual(POOLS);
    const brain = pools.find(isBrain);
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

  it("shows when each scheduled job last ran", async () => {
    await until(async () => {
      const { schedules } = (await get(guarded, "/pools", TOKEN)).body;
      const sweep = schedules.find(({ name }: { name: string }) => name === "sweep-calls");
      if (typeof sweep?.last_ran_at !== "string") return false;
      expect(sweep).toEqual({
        name: "sweep-calls",
        every_ms: LIMITS.sweepMs,
        last_ran_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        last_failed_at: null,
      });
      return true;
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
