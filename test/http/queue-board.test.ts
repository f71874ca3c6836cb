import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOpsApp } from "../../src/http/ops/app.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

const TOKEN = "an-operators-token";
const HOSTILE = `call_<script>alert("x")</script>`;

const look = () =>
  Promise.resolve({
    counts: { waiting: 1, active: 0 },
    oldest: [{ callId: HOSTILE, state: "waiting", at: new Date(0) }],
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
  };
  const dispatcher = { waiting: () => Promise.resolve(0), look };
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
