import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { QueueLook } from "../../src/core/calls/dispatch.ts";
import { createOpsApp } from "../../src/http/ops/app.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

const TOKEN = "an-operators-token";
const HOSTILE = `call_<script>alert("x")</script>`;

const full = {
  counts: { waiting: 1, active: 0 },
  oldest: [{ callId: HOSTILE, state: "waiting", at: new Date(0) }],
};
let awaySince: Date | null = null;
let look: () => Promise<QueueLook | null>;
beforeEach(() => {
  awaySince = null;
  look = () => Promise.resolve(full);
});

let platform: TestPlatform;
let app: FastifyInstance;
let address: string;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
  const { db, counters } = platform.runtime;
  const services = {
    db,
    counters,
    token: TOKEN,
    allowedHosts: [],
    pools: () => new Set<never>(),
    stopping: () => false,
    store: { takes: () => Promise.resolve(true) },
  };
  const dispatcher = { awaySince: () => awaySince, look: () => look() };
  app = await createOpsApp(
    { ...services, connections: () => db.stats(), dispatcher, queued: true },
    { logger: pino({ level: "silent" }), bodies: platform.services.bodies },
  );
  address = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await app.close();
  await platform.stop();
});

const ask = (authorization?: string) =>
  fetch(`${address}/admin/queues`, { headers: authorization === undefined ? {} : { authorization } });
const basic = (password: string) => `Basic ${Buffer.from(`operator:${password}`).toString("base64")}`;

it("takes the operators' token as a header or as the password that a browser sends", async () => {
  for (const right of [`Bearer ${TOKEN}`, basic(TOKEN)]) expect((await ask(right)).status).toBe(200);
  for (const wrong of [
    undefined,
    "",
    "Bearer",
    `Bearer ${TOKEN}x`,
    basic(""),
    basic(`${TOKEN}x`),
    "Basic !",
  ]) {
    const answer = await ask(wrong);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Basic /);
  }
});

it("shows as text whatever lies in a queue", async () => {
  const page = await (await ask(`Bearer ${TOKEN}`)).text();
  expect(page).toContain("call_&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;");
  expect(page).not.toContain("<script");
});

it("says since when Redis has been away, and shows what the calls table knows", async () => {
  awaySince = new Date(0);
  look = () => Promise.resolve(null);
  const answer = await ask(`Bearer ${TOKEN}`);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toMatch(/away since 1970-01-01T00:00:00.000Z[^]*<td>brain<\/td>\s*<td>0<\/td>/);
  const ready = await fetch(`${address}/readyz`);
  expect(ready.status).toBe(200);
  const { degraded } = (await ready.json()) as { degraded: string[] };
  expect(degraded).toContainEqual(
    expect.stringMatching(/^Redis has been away since 1970-01-01T00:00:00.000Z: /),
  );
});

it.each([
  ["fails", () => Promise.reject(new Error("Connection is closed."))],
  ["hangs", () => new Promise<never>(() => undefined)],
])("says that the queues could not be read where reading %s", async (_how, fail) => {
  look = fail;
  const answer = await ask(`Bearer ${TOKEN}`);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("The queues could not be read just now.");
});
