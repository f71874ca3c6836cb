import { setTimeout as sleep } from "node:timers/promises";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import type { RedisServer } from "../support/redis-server.ts";
import type { ChaosPlatform } from "./platform.ts";

/** How one dispatcher's hints are lost and doubled. */
export type Hints = {
  drop(): Promise<void>;
  duplicate(callIds: readonly string[]): Promise<void>;
  /** Takes away what carries them for a while; null where that is the database itself. */
  readonly outages: Readonly<Record<"kill redis" | "freeze redis", (forMs: number) => Promise<void>>> | null;
  close(): Promise<void>;
};

const POOLS = ["brain", "cam"] as const;
const COPIES = 20;
/** A call that never was: a hint for it must do no harm. */
const NO_CALL = `call_${"0".repeat(32)}`;

/** The calls table: listeners that are cut off hear nothing of what is notified meanwhile. */
export function createPostgresHints({ sql }: ChaosPlatform): Hints {
  return {
    drop: async () => {
      await sql(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'meshforge listener'",
      );
    },
    duplicate: async (callIds) => {
      await sql(
        `select pg_notify('meshforge_pool_' || pool, '') from unnest($1::text[]) pool, generate_series(1, $2) copy`,
        [POOLS, COPIES],
      );
      const wakes = [NO_CALL, ...callIds].flatMap((id) => [`e${id}`, `p${id}`]).join(",");
      await sql("select pg_notify('meshforge_wakes', $1)", [wakes]);
    },
    outages: null,
    close: () => Promise.resolve(),
  };
}

/** Redis: gone and frozen, all queues flushed, subscribers cut off, jobs for calls that ended long ago or never were. */
export function createRedisHints(server: RedisServer, prefix: string): Hints {
  const { url } = server;
  const redis = new Redis(url);
  const queues = POOLS.map((pool) => new Queue(`meshforge-${pool}`, { prefix, connection: { url } }));
  for (const client of [redis, ...queues]) client.on("error", () => undefined);
  return {
    drop: async () => {
      await redis.flushall();
      await redis.call("CLIENT", "KILL", "TYPE", "pubsub");
    },
    duplicate: async (callIds) => {
      const jobs = [NO_CALL, ...callIds].map((callId) => ({ name: "call", data: { callId } }));
      for (const queue of queues) await queue.addBulk(jobs);
      const wakes = callIds.flatMap((id) => [`e${id}`, `p${id}`]).join(",");
      await redis.publish(`${prefix}:wakes`, wakes);
    },
    outages: {
      "kill redis": async (forMs) => {
        await server.kill();
        await sleep(forMs);
        await server.start();
      },
      "freeze redis": async (forMs) => {
        server.freeze();
        await sleep(forMs);
        server.thaw();
      },
    },
    close: async () => {
      redis.disconnect();
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}
