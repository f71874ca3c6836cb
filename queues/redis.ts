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

/** The name of a pool's queue, as the queue board and an autoscaler see it. */
const queueName = (pool: Pool): string => `meshforge-${pool}`;

/**
 * BullMQ on Redis, one queue for each pool and one job for each call. Retries are not BullMQ's business: a job that
 * fails or stalls was a hint, and the call's own lease decides.
 */
export function createRedisDispatcher(options: {
  readonly url: string;
  readonly prefix: string;
  readonly onError: (error: unknown) => void;
}): Dispatcher {
  const { url, prefix, onError } = options;
  type Producer = { readonly queue: Queue<Hint>; readonly announce: (callId: string) => Promise<void> };
  const producers = new Map<Pool, Producer>();

  function producer(pool: Pool): Producer {
    let known = producers.get(pool);
    if (known === undefined) {
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
      queue.on("error", onError);
      const announce = batch<string, void>({
        maxItems: HINTS_AT_ONCE,
        maxInFlight: 1,
        run: async (callIds) => {
          await queue.waitUntilReady();
          await queue.addBulk(callIds.map((callId) => ({ name: "call", data: hint.parse({ callId }) })));
          return callIds.map(() => undefined);
        },
      });
      known = { queue, announce };
      producers.set(pool, known);
    }
    return known;
  }

  return {
    announce: async (pool, callIds) => void (await Promise.all(callIds.map(producer(pool).announce))),
    consume: (pool, work) => consume(pool, work, options),
    waiting: async (pool) => {
      const { queue } = producer(pool);
      const counts = await queue.getJobCounts("waiting", "delayed", "prioritized");
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
    look: async (pool) => {
      const { queue } = producer(pool);
      const [counts, waiting, active] = await Promise.all([
        queue.getJobCounts(),
        queue.getJobs("waiting", 0, LIMITS.boardJobs - 1, true),
        queue.getJobs("active", 0, LIMITS.boardJobs - 1, true),
      ]);
      const found = [...told(active, "active"), ...told(waiting, "waiting")];
      return { counts, oldest: found.slice(0, LIMITS.boardJobs) };
    },
    close: async () => void (await Promise.all([...producers.values()].map(({ queue }) => queue.close()))),
  };
}

/** A job that went meanwhile is not there any more. */
const told = (jobs: readonly (Job<Hint> | undefined)[], state: string) =>
  jobs.flatMap((job) =>
    job === undefined ? [] : [{ callId: hint.parse(job.data).callId, state, at: new Date(job.timestamp) }],
  );

async function consume(
  pool: Pool,
  work: PoolWork,
  {
    url,
    prefix,
    onError,
  }: { readonly url: string; readonly prefix: string; readonly onError: (error: unknown) => void },
): Promise<Consumer> {
  const runs = new Runs(work);
  const worker = new Worker<Hint>(queueName(pool), (job) => runs.follow(hint.parse(job.data).callId), {
    prefix,
    connection: { url, maxRetriesPerRequest: null },
    concurrency: work.slots,
    lockDuration: LOCK_MS,
    maxStalledCount: 0,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
  worker.on("error", onError);
  await worker.waitUntilReady();
  return {
    stop: async () => {
      const stopped = runs.stop();
      await worker.pause(true);
      await stopped;
      // Closing waits for what runs, which the caller waits for, too, with a limit of its own.
      void worker.close().catch(onError);
    },
  };
}
