import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { serve, type Server, type ServedPool } from "../../workers/serve.ts";
import { createServices } from "../../src/platform/api.ts";
import { type Config, loadConfig } from "../../src/platform/config.ts";
import type { FeatureServices } from "../../src/core/catalog/define.ts";
import { Scheduler } from "../../src/core/schedule/scheduler.ts";
import { callJobs } from "../../src/platform/jobs.ts";
import { createMarketplaceApp } from "../../src/http/marketplace/app.ts";
import type { MarketplaceServices } from "../../src/http/marketplace/services.ts";
import { createRuntime, type Runtime } from "../../src/platform/runtime.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { type ChangedLimits, changeLimits } from "./limits.ts";

export const TEST_CAPABILITIES = join(import.meta.dirname, "capabilities");

/** A platform in the test's own process: real HTTP, a real database, and the dispatcher of the project it runs in. */
export type TestPlatform = {
  readonly baseUrl: string;
  readonly database: TestDatabase;
  readonly runtime: Runtime;
  readonly services: MarketplaceServices;
  /** Starts a further worker, with connections of its own. */
  addWorker(pools: readonly ServedPool[]): Promise<Server>;
  /** Sends a request; `key` is the account's. The body is read as JSON where it is that. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** A new account with `mesh` MESH. */
  account(mesh?: number): Promise<{ readonly id: string; readonly handle: string; readonly key: string }>;
  stop(): Promise<void>;
};

export type RequestOptions = {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
  readonly body: any;
};

const DEFAULT_POOLS: readonly ServedPool[] = [
  { pool: "brain", slots: 8 },
  { pool: "cam", slots: 2 },
  { pool: "text", slots: 2 },
];

export async function startTestPlatform(
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly pools?: readonly ServedPool[];
    /** Of this process. By itself no worker loses its calls because a busy machine keeps it from saying that it lives. */
    readonly limits?: ChangedLimits;
    /** Where the platform finds its database, given where it is: something may stand between. */
    readonly databaseUrl?: (url: string) => Promise<string>;
    /** What the workers' handlers are given in place of the features' own services. */
    readonly features?: Partial<FeatureServices>;
  } = {},
): Promise<TestPlatform> {
  changeLimits(options.limits ?? { leaseMs: 120_000 });
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "meshforge-data-"));
  const databaseUrl = (await options.databaseUrl?.(database.url)) ?? database.url;
  const redisUrl = process.env["TEST_DISPATCH"] === "redis" ? inject("redisUrl") : null;
  const config: Config = loadConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    ...(redisUrl === null ? {} : { REDIS_URL: redisUrl, REDIS_PREFIX: `t${randomBytes(6).toString("hex")}` }),
    CAPABILITIES_DIR: TEST_CAPABILITIES,
    ACCOUNTS_PER_HOUR: "1000000",
    // However long a busy machine takes for a call, its caller is there.
    CALL_WAIT_MS: "120000",
    LOG_LEVEL: "fatal",
    ...options.env,
  });
  const runtime = await createRuntime(config, databaseUrl, "test api");
  const services = await createServices(runtime);
  const app = await createMarketplaceApp(services, { logger: runtime.log, trustProxy: config.trustProxy });
  const baseUrl = await app.listen({ port: 0, host: "127.0.0.1" });
  // What a worker of the pool `system` does besides sending webhooks, which some tests look at.
  const scheduler = new Scheduler({
    db: runtime.db,
    jobs: callJobs(runtime),
    onError: (error, job) => runtime.log.warn({ err: error, job }, "schedule"),
  });
  scheduler.start();
  const workers: { server: Server; runtime: Runtime }[] = [];

  const addWorker = async (pools: readonly ServedPool[]): Promise<Server> => {
    const own = await createRuntime(config, databaseUrl, "test worker");
    const features = { ...own.services.features, ...options.features };
    const server = await serve({ ...own, services: { ...own.services, features } }, pools);
    workers.push({ server, runtime: own });
    return server;
  };
  await addWorker(options.pools ?? DEFAULT_POOLS);

  const request: TestPlatform["request"] = (method, path, rest = {}) =>
    send(`${baseUrl}${path}`, method, rest);
  return {
    baseUrl,
    database,
    runtime,
    services,
    addWorker,
    request,
    account: async (mesh) => {
      const { body } = await request("POST", "/api/accounts", { body: {} });
      const { id, handle } = body.account;
      if (mesh !== undefined) await setBalance(database, id, mesh);
      return { id, handle, key: body.api_key };
    },
    stop: async () => {
      services.calls.waiters.drain();
      services.streaming.feeds.drain();
      await app.close();
      await services.bodies.close();
      await services.streaming.quota.close();
      await scheduler.stop();
      for (const worker of workers) {
        await worker.server.drain(1_000);
        await worker.runtime.close();
      }
      await runtime.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function send(url: string, method: string, { key, body, headers }: RequestOptions): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = response.headers.get("content-type")?.includes("json") === true && text !== "";
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

/** Brings an account to exactly this much MESH, by an adjustment in the ledger. */
async function setBalance(database: TestDatabase, accountId: string, mesh: number): Promise<void> {
  await database.owner.query(
    `select post_entry(b.account_id, 'MESH', 'adjustment', $2 - b.amount, null, 'test')
       from balances b where b.account_id = $1 and b.currency = 'MESH' and b.amount <> $2`,
    [accountId, mesh],
  );
}
