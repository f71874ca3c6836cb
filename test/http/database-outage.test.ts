import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createOpsApp } from "../../src/http/ops/app.ts";
import { Proxy } from "../support/proxy.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { until } from "../support/until.ts";

/** A read is given up after two seconds; the rest is for a busy machine. */
const LONGEST_MS = 7_500;
const TOKEN = "an-operators-token";

let proxy: Proxy;
let platform: TestPlatform;
let ops: FastifyInstance;
let opsUrl: string;
let account: { id: string; key: string };
let callId: string;
beforeAll(async () => {
  platform = await startTestPlatform({
    databaseUrl: async (direct) => {
      const url = new URL(direct);
      proxy = await Proxy.before(url);
      url.hostname = "127.0.0.1";
      url.port = String(proxy.port);
      return url.href;
    },
  });
  const { db, counters, dispatcher } = platform.runtime;
  ops = await createOpsApp(
    {
      db,
      counters,
      dispatcher: { awaySince: () => dispatcher.awaySince(), look: () => Promise.resolve(null) },
      store: platform.runtime.store,
      token: TOKEN,
      allowedHosts: [],
      pools: () => new Set<never>(),
      stopping: () => false,
      connections: () => db.stats(),
      queued: true,
    },
    { logger: pino({ level: "silent" }), bodies: platform.services.bodies },
  );
  opsUrl = await ops.listen({ port: 0, host: "127.0.0.1" });
  account = await platform.account(100);
  const call = await platform.request("POST", "/api/call/test-work", { key: account.key, body: {} });
  callId = call.body.call_id;
});
afterEach(async () => {
  proxy.thaw();
  // What hung is closed, and the pool has room again.
  await until(async () => (await ask(platform.baseUrl, "/api/account", account.key)).status === 200);
});
afterAll(async () => {
  await ops.close();
  await platform.stop();
  await proxy.close();
});

async function ask(baseUrl: string, path: string, key: string) {
  const startedAt = performance.now();
  const response = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  const { status, headers } = response;
  return { path, status, headers, text, ms: performance.now() - startedAt };
}

/** Every GET that the marketplace documents, with names that are there. */
async function documentedPaths(): Promise<string[]> {
  const { body } = await platform.request("GET", "/openapi.json");
  const named = { slug: "test-work", id: callId, callId };
  return Object.entries(body.paths as Record<string, object>)
    .filter(([path, item]) => "get" in item && !/events|stream/.test(path))
    .map(([path]) =>
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => named[name as keyof typeof named] ?? "none"),
    );
}

it("answers every GET within two seconds while the database is frozen: 503 with Retry-After, or without it", async () => {
  const paths = await documentedPaths();
  expect(paths).toContain("/api/capabilities");
  expect(paths).toContain(`/api/calls/${callId}`);
  proxy.freeze();
  const answers = await Promise.all([
    ...paths.map((path) => ask(platform.baseUrl, path, account.key)),
    ask(platform.baseUrl, `/api/calls/${callId}?wait=1`, account.key),
    ...["/pools", "/metrics", "/readyz", "/healthz", "/admin/queues"].map((path) => ask(opsUrl, path, TOKEN)),
  ]);
  expect(answers.filter(({ ms }) => ms > LONGEST_MS)).toEqual([]);
  const refused = answers.filter(({ status }) => status >= 500);
  expect(refused.map(({ status, text }) => [status, JSON.parse(text).error])).toEqual(
    refused.map(() => [503, "unavailable"]),
  );
  expect(refused.filter(({ headers }) => headers.get("retry-after") !== "1")).toEqual([]);
  const unavailable = refused.map(({ path }) => path);
  for (const path of ["/api/account", "/api/calls", "/pools", "/metrics", "/readyz", "/admin/queues"])
    expect(unavailable).toContain(path);
});

it("gives the first read after all connections broke, and not a 503", async () => {
  for (let nth = 0; nth < 5; nth++) {
    await Promise.all(["/api/account", "/api/calls"].map((path) => ask(platform.baseUrl, path, account.key)));
    // Under the reads, and under idle connections.
    const reading = ask(platform.baseUrl, "/api/account/ledger", account.key);
    proxy.cut();
    expect((await reading).status).toBe(200);
    proxy.cut();
    expect((await ask(platform.baseUrl, `/api/calls/${callId}`, account.key)).status).toBe(200);
    proxy.cut();
    expect((await ask(opsUrl, "/pools", TOKEN)).status).toBe(200);
  }
});

it("takes a write whose connection broke, and a statement that took too long, for an outage", async () => {
  const { db } = platform.runtime;
  const writing = db.query("select pg_sleep(1)");
  await until(async () => db.stats().total > 0);
  proxy.cut();
  await expect(writing).rejects.toMatchObject({ code: "unavailable" });
  await expect(db.query("set statement_timeout = 1; select pg_sleep(1)")).rejects.toMatchObject({
    code: "unavailable",
  });
});
