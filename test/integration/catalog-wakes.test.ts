import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openDatabase } from "../../src/adapters/postgres/database.ts";
import { Listener } from "../../src/adapters/postgres/listener.ts";
import { createPostgresWakeBus } from "../../src/adapters/postgres/wake-bus.ts";
import { RedisPresence } from "../../src/adapters/redis/presence.ts";
import { createRedisWakeBus } from "../../src/adapters/redis/wake-bus.ts";
import type { WakeBus } from "../../src/core/calls/dispatch.ts";
import { Catalog } from "../../src/core/catalog/catalog.ts";
import { Listings } from "../../src/core/catalog/listings.ts";
import { openAccount } from "../database/support.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startRedis } from "../support/global-setup.ts";
import { delist, list } from "../support/listings.ts";
import { until } from "../support/until.ts";

/** What nobody looks for within this test is heard, or never seen. */
const HOUR_MS = 3_600_000;
const PREFIX = `t${randomBytes(6).toString("hex")}`;

/** What one process knows of the catalog, with connections of its own. */
type Process = { readonly catalog: Catalog; readonly bus: WakeBus; readonly close: () => Promise<void> };

let database: TestDatabase;
/** Of its own: the connections to it are cut. */
let redis: Awaited<ReturnType<typeof startRedis>> = null;
let provider: string;
/** The first lists; the others hear of it. */
let processes: readonly Process[];

beforeAll(async () => {
  database = await createTestDatabase();
  if (process.env["TEST_DISPATCH"] === "redis") redis = await startRedis();
  provider = (await openAccount(database.owner, 0)).id;
  processes = await Promise.all([openProcess(), openProcess(), openProcess()]);
});
afterAll(async () => {
  await Promise.all(processes.map(({ close }) => close()));
  redis?.process.kill();
  await database.drop();
});

const onError = (error: unknown): void => console.error(error);

async function openProcess(): Promise<Process> {
  const db = openDatabase({ url: database.url, role: null, maxConnections: 1, applicationName: "listings" });
  const listener = new Listener(database.url, onError);
  // That the bus goes away is what one of the tests is about.
  const there = redis === null ? null : { url: redis.url, prefix: PREFIX };
  const nothing = { onAway: () => undefined, onBack: () => undefined, onFault: () => undefined };
  const presence = there === null ? null : new RedisPresence({ ...there, report: nothing });
  await presence?.start();
  const bus =
    there === null || presence === null
      ? createPostgresWakeBus(db, listener, onError)
      : createRedisWakeBus({ ...there, presence });
  const catalog = new Catalog([]);
  const rooms = new Map([["test-work", join(import.meta.dirname, "../support/capabilities/test-work")]]);
  const listings = new Listings({ db, catalog, bus, rooms, lookMs: HOUR_MS, onError });
  await listings.start();
  const close = async (): Promise<void> => {
    await listings.stop();
    await bus.close();
    await presence?.close();
    await listener.close();
    await db.close();
  };
  return { catalog, bus, close };
}

let slug: string;
beforeEach(() => (slug = `wake-${randomBytes(4).toString("hex")}`));

const known = ({ catalog }: Process): boolean => catalog.find("marketplace", slug) !== undefined;
const allKnow = (): Promise<boolean> => until(async () => processes.every(known));
const nobodyKnows = (): Promise<boolean> => until(async () => !processes.some(known));

/** Lists and delists as one of the processes does, which tells the others. */
const seller = () => ({ database, runtime: { bus: processes[0]?.bus ?? failed() } });
const failed = (): never => {
  throw new Error("there is no process");
};

it("hears of a row, and of its end, with no look at the rows between", async ({ annotate }) => {
  const listedAt = performance.now();
  await list(seller(), provider, { slug });
  await allKnow();
  const goneAt = performance.now();
  await delist(seller(), slug);
  await nobodyKnows();
  await annotate(
    `known after ${Math.round(goneAt - listedAt)} ms, gone after ${Math.round(performance.now() - goneAt)} ms`,
  );
});

it("hears of the last of many changes, made while it was reading the ones before", async () => {
  for (let price = 1; price <= 20; price++) await list(seller(), provider, { slug, price });
  await until(async () =>
    processes.every(({ catalog }) => catalog.find("marketplace", slug)?.offer.price.amount === 20),
  );
});

it("looks at the rows when the bus was away", async () => {
  // Nobody is told of it.
  await list({ database, runtime: { bus: { publish: () => undefined } } }, provider, { slug });
  expect(processes.some(known)).toBe(false);
  await cutBus();
  await allKnow();
});

/** Ends the connections that wake-ups come by. */
async function cutBus(): Promise<void> {
  if (redis === null) {
    await database.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like 'listen %'`,
    );
    return;
  }
  const client = new Redis(redis.url);
  await client.call("CLIENT", "KILL", "TYPE", "pubsub");
  client.disconnect();
}
