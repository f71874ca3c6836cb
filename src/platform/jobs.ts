import type { createWebhookPost } from "../adapters/webhooks/post.ts";
import { OutputStore } from "../core/calls/outputs.ts";
import { retainResults } from "../core/calls/retention.ts";
import { announceLost, sweepCalls, tidy } from "../core/calls/sweep.ts";
import { sweepRuns } from "../core/runs/sweep-runs.ts";
import { importFromRooms } from "../core/catalog/rooms.ts";
import { LIMITS } from "../core/limits.ts";
import { indexMemories } from "../core/memory/indexer.ts";
import { faultOf } from "../core/observe/fault.ts";
import { defineJob, type Job } from "../core/schedule/job.ts";
import { Scheduler } from "../core/schedule/scheduler.ts";
import { WebhookSender } from "../core/webhooks/sender.ts";
import type { Runtime } from "./runtime.ts";

export type RunningJobs = {
  /** Takes no more, lets what is under way end until `drainMs` is over, and leaves the rest to others. */
  stop(drainMs: number): Promise<void>;
};

/** Does all that is to be done again and again, in this process as long as no other does it: the platform's, and the features'. */
export async function runJobs(runtime: Runtime): Promise<RunningJobs> {
  const { db, config, log, semanticMemory } = runtime;
  const webhooks = webhookSender(runtime);
  const ofFeatures = await importFromRooms<readonly Job[]>(config.capabilityRoots, "schedule.ts");
  const scheduler = new Scheduler({
    db,
    jobs: [
      ...callJobs(runtime),
      defineJob({
        name: "send-webhooks",
        everyMs: LIMITS.webhookLookMs,
        run: ({ signal }) => webhooks.sender.sendDue(signal),
      }),
      ...(semanticMemory === null
        ? []
        : [
            defineJob({
              name: "index-memories",
              everyMs: LIMITS.indexLookMs,
              run: ({ signal }) => indexMemories(db, semanticMemory, signal),
            }),
          ]),
      defineJob({
        name: "retain-results",
        everyMs: LIMITS.retentionEveryMs,
        run: async ({ db }) => void (await retainResults(db, config.retainResultsDays)),
      }),
      ...ofFeatures.flat(),
    ],
    onError: (error, job) => log.warn({ err: error, job }, "schedule"),
  });
  scheduler.start();
  return {
    stop: async (drainMs) => {
      await scheduler.stop();
      await webhooks.sender.stop(drainMs);
      await webhooks.close();
    },
  };
}

/** The jobs without which calls are lost with their workers. */
export function callJobs({
  dispatcher,
  bus,
  runs,
  log,
  onCallEnd,
}: Pick<Runtime, "dispatcher" | "bus" | "runs" | "log" | "onCallEnd">): Job[] {
  const onError = (error: unknown): void => log.warn({ err: error }, "a requeued call was not announced");
  return [
    defineJob({
      name: "sweep-calls",
      everyMs: LIMITS.sweepMs,
      run: ({ db }) => sweepCalls({ db, dispatcher, bus, runs, onCallEnd, onError }),
    }),
    defineJob({
      name: "sweep-runs",
      everyMs: LIMITS.runSweepMs,
      run: ({ db }) =>
        sweepRuns(db, runs, (repaired) => log.warn({ runs: repaired }, "runs were advanced by the sweep")),
    }),
    defineJob({
      name: "announce-lost-calls",
      everyMs: LIMITS.sweepMs,
      run: ({ db }) => announceLost(db, dispatcher),
    }),
    defineJob({ name: "tidy", everyMs: LIMITS.tidyMs, run: ({ db }) => tidy(db) }),
  ];
}

type Poster = ReturnType<typeof createWebhookPost>;

function webhookSender({ config, db, store, keyRing, log }: Runtime): {
  readonly sender: WebhookSender;
  readonly close: () => Promise<void>;
} {
  let poster: Promise<Poster> | undefined;
  // Loaded with the first webhook: a platform without any does without the HTTP client's memory.
  const load = async (): Promise<Poster> => {
    const { createWebhookPost } = await import("../adapters/webhooks/post.ts");
    return createWebhookPost({ allowPrivate: config.allowPrivateUpstreams });
  };
  const sender = new WebhookSender({
    db,
    outputs: new OutputStore(store),
    keyRing,
    post: async (message) => (await (poster ??= load())).post(message),
    // Where it lies is the caller's affair, and the words of the operating system would tell.
    onNoAnswer: (error, callId) => {
      const { type, code } = faultOf(error);
      log.info({ type, code, callId }, "no answer to a webhook");
    },
    onError: (error, callId) => log.warn({ err: error, callId }, "webhooks"),
  });
  return { sender, close: async () => await (await poster)?.close() };
}
