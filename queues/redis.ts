import { type Job, Queue, Worker } from "bullmq";
import { batch } from "../src/core/batch.ts";
import type { Consumer, Dispatcher, PoolWork } from "../src/core/calls/dispatch.ts";
import type { Pool } from "../src/core/catalog/define.ts";
import { LIMITS } from "../src/core/limits.ts";
import { type Hint, hint } from "./hint.ts";
import { Runs } from "./runs.ts";

const HINTS_AT_ONCE = 500;
/** How long a command waits for Redis before it fails; the sweeper announces again what was lost. */
const COMMAND_TIMEOUT_MS = 5_000;
/** A hint is held while its call runs, and given up only when its worker has long been gone. */
const LOCK_MS = 30_000;
/** How often a consumer looks into the calls table while no hints can come. */
const LOOK_EVERY_MS = 400;
/** Consumers that all looked at the same moment would need a connection each. */
const LOOK_JITTER_MS = 200;
/** Processes find Redis back one after the other: what one of them did not announce, a consumer looks for this long. */
const LOOK_ON_MS = 5_000;

/** Whether Redis is there, as who keeps connections to it needs to know. */
export type Presence = {
  readonly awaySince: Date | null;
  follow(follower: { readonly onHere: () => void; readonly onAway: () => void }): () => void;
  /** Something that was asked of Redis failed. */
  readonly suspect: (error: unknown) => void;
};

type Options = {
  readonly url: string;
  readonly prefix: string;
  readonly presence: Presence;
  /** A look into the calls table failed. */
  readonly onError: (error: unknown) => void;
};

/** The name of a pool's queue, as the queue board and an autoscaler see it. */
const queueName = (pool: Pool): string => `meshforge-${pool}`;

/**
 * BullMQ on Redis, one queue for each pool and one job for each call. Retries are not BullMQ's business: a job that
 * fails or stalls was a hint, and the call's own lease decides. While Redis is away nothing is announced, and each
 * consumer looks into the calls table by itself. Connections are made anew when it is back: no state of an old one, and
 * nothing that hangs on it, outlives an outage.
 */
export function createRedisDispatcher(options: Options): Dispatcher {
  const { presence } = options;
  const producers = new Map<Pool, Producer>();
  const producer = (pool: Pool): Producer => {
    const known = producers.get(pool) ?? openProducer(pool, options);
    producers.set(pool, known);
    return known;
  };
  const leave = presence.follow({
    onHere: () => undefined,
    onAway: () => {
      for (const { queue } of producers.values()) void queue.disconnect().catch(presence.suspect);
      producers.clear();
    },
  });
  return {
    announce: async (pool, callIds) => {
      if (presence.awaySince === null) await Promise.all(callIds.map(producer(pool).announce));
    },
    consume: (pool, work) => Promise.resolve(consume(pool, work, options)),
    awaySince: () => presence.awaySince,
    waiting: async (pool) => {
      if (presence.awaySince !== null) return null;
      const { queue } = producer(pool);
      try {
        const counts = await queue.getJobCounts("waiting", "delayed", "prioritized");
        return Object.values(counts).reduce((sum, count) => sum + count, 0);
      } catch (error) {
        // It went in the middle of the question.
        if (presence.awaySince !== null) return null;
        throw error;
      }
    },
    look: async (pool) => {
      if (presence.awaySince !== null) return null;
      const { queue } = producer(pool);
      const [counts, waiting, active] = await Promise.all([
        queue.getJobCounts(),
        queue.getJobs("waiting", 0, LIMITS.boardJobs - 1, true),
        queue.getJobs("active", 0, LIMITS.boardJobs - 1, true),
      ]);
      const found = [...told(active, "active"), ...told(waiting, "waiting")];
      return { counts, oldest: found.slice(0, LIMITS.boardJobs) };
    },
    close: async () => {
      leave();
      await Promise.all([...producers.values()].map(({ queue }) => queue.close()));
    },
  };
}

/** A job that went meanwhile is not there any more. */
const told = (jobs: readonly (Job<Hint> | undefined)[], state: string) =>
  jobs.flatMap((job) =>
    job === undefined ? [] : [{ callId: hint.parse(job.data).callId, state, at: new Date(job.timestamp) }],
  );

type Producer = {
  readonly queue: Queue<Hint>;
  /** Never rejects: a hint that was not sent is made good by the sweeper, or by who looks for itself. */
  readonly announce: (callId: string) => Promise<void>;
};

function openProducer(pool: Pool, { url, prefix, presence }: Options): Producer {
  const queue = new Queue<Hint>(queueName(pool), {
    prefix,
    connection: {
      url,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: COMMAND_TIMEOUT_MS,
    },
    defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
  });
  queue.on("error", presence.suspect);
  const send = async (callIds: readonly string[]): Promise<void> => {
    await queue.waitUntilReady();
    await queue.addBulk(callIds.map((callId) => ({ name: "call", data: hint.parse({ callId }) })));
  };
  const announce = batch<string, void>({
    maxItems: HINTS_AT_ONCE,
    maxInFlight: 1,
    run: async (callIds) => {
      await send(callIds).catch(presence.suspect);
      return callIds.map(() => undefined);
    },
  });
  return { queue, announce };
}

function consume(pool: Pool, work: PoolWork, options: Options): Consumer {
  const { presence, onError } = options;
  const runs = new Runs(work);
  let worker: Worker<Hint> | undefined;
  let looking: AbortController | undefined;
  let lookingOn: NodeJS.Timeout | undefined;

  function look(): void {
    clearTimeout(lookingOn);
    looking?.abort();
    looking = new AbortController();
    void runs.look({
      everyMs: LOOK_EVERY_MS + Math.random() * LOOK_JITTER_MS,
      signal: looking.signal,
      onError,
    });
  }

  const leave = presence.follow({
    onHere: () => {
      worker = openWorker(pool, runs, options);
      lookingOn = setTimeout(() => looking?.abort(), LOOK_ON_MS);
    },
    onAway: () => {
      // Without waiting for what it runs, which goes on, nor for Redis to know.
      void worker?.close(true).catch(presence.suspect);
      worker = undefined;
      look();
    },
  });
  return {
    stop: async () => {
      leave();
      clearTimeout(lookingOn);
      looking?.abort();
      const stopped = runs.stop();
      await worker?.pause(true);
      await stopped;
      // Closing waits for what runs, which the caller waits for, too, with a limit of its own.
      void worker?.close().catch(presence.suspect);
    },
  };
}

function openWorker(pool: Pool, runs: Runs, { url, prefix, presence }: Options): Worker<Hint> {
  const worker = new Worker<Hint>(queueName(pool), (job) => runs.follow(hint.parse(job.data).callId), {
    prefix,
    connection: { url, maxRetriesPerRequest: null },
    concurrency: runs.slots,
    lockDuration: LOCK_MS,
    maxStalledCount: 0,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
  worker.on("error", presence.suspect);
  return worker;
}
