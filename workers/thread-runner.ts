import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { Piscina } from "piscina";
import { failure, type Outcome } from "../src/core/calls/execute.ts";
import { AppError, type ErrorCode } from "../src/core/errors.ts";
import type { ThreadLimits } from "../src/core/calls/pools.ts";
import { modulePath } from "../src/core/module-path.ts";
import type { Runtime } from "../src/platform/runtime.ts";
import type { Run, Runner } from "./runner.ts";
import { WorkClock } from "./work-clock.ts";
import type { FromThread, ThreadTask, ToThread } from "./thread.ts";

/** How often a thread's memory outside its heap is looked at. */
const WATCH_MS = 100;
const IDLE_MS = 300_000;
const BYTES_IN_MB = 1_048_576;

/**
 * Runs handlers in worker threads. A run past its time, or a thread past its memory, is ended by ending the thread: that
 * call fails, and no other is touched.
 */
export function createThreadRunner(
  { store, log, services }: Runtime,
  limits: ThreadLimits,
  slots: number,
): Runner {
  const threads = new Piscina<ThreadTask, Outcome>({
    filename: modulePath(join(import.meta.dirname, "thread.ts")),
    minThreads: 0,
    maxThreads: slots,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
  });
  threads.on("error", (error: unknown) => log.warn({ err: error }, "thread"));
  const watch = setInterval(() => void endGreedyThreads(), WATCH_MS);

  async function endGreedyThreads(): Promise<void> {
    for (const thread of threads.threads) {
      // A thread that ends while it is asked has no answer, and needs none.
      const usage = await thread.getHeapStatistics().catch(() => undefined);
      if ((usage?.external_memory ?? 0) > limits.buffersMb * BYTES_IN_MB) await thread.terminate();
    }
  }

  async function run({ capability, call, signal, progress }: Run): Promise<Outcome> {
    const { port1, port2 } = new MessageChannel();
    // A database or a store that hangs is waited for: the work for which there is this limit is done by then.
    const clock = new WorkClock(limits.timeMs);
    port1.on("message", (message: FromThread) => {
      if (message.kind === "progress") progress(message.data);
      else if (message.kind === "unexpected")
        log.error({ fault: message.fault, slug: call.slug, callId: call.id }, "handler");
      else {
        clock.waiting(store.put(message.bytes, message.about)).then(
          (stored) => port1.postMessage({ id: message.id, stored } satisfies ToThread),
          (error: unknown) => {
            // The thread is told no more than its caller may see.
            if (!(error instanceof AppError))
              log.error({ err: error, slug: call.slug, callId: call.id }, "an artifact was not stored");
            port1.postMessage({ id: message.id, ...faultOf(error) } satisfies ToThread);
          },
        );
      }
    });
    const ended = AbortSignal.any([signal, clock.signal]);
    const task: ThreadTask = {
      folder: capability.folder,
      slug: capability.slug,
      input: call.input,
      callId: call.id,
      accountId: call.accountId,
      warnings: call.warnings,
      leftMs: call.leftMs,
      baseUrl: services.baseUrl,
      port: port2,
    };
    try {
      return await threads.run(task, { signal: ended, transferList: [port2] });
    } catch (error) {
      // Who aborted it knows.
      if (!signal.aborted) log.warn({ err: error, slug: call.slug, callId: call.id }, "a thread was ended");
      return failure("internal_error", reasonOf(error, signal, limits));
    } finally {
      clock.stop();
      port1.close();
    }
  }

  return {
    run,
    close: async () => {
      clearInterval(watch);
      await threads.destroy();
    },
  };
}

/** An error as it crosses to the thread: one that a caller may see keeps its code. */
const faultOf = (error: unknown): { readonly error: string; readonly code?: ErrorCode } =>
  error instanceof AppError ? { error: error.message, code: error.code } : { error: String(error) };

function reasonOf(error: unknown, signal: AbortSignal, limits: ThreadLimits): string {
  if (error instanceof Error && error.name === "AbortError" && !signal.aborted) {
    return `The run took longer than ${limits.timeMs / 1000} s of computing and was ended.`;
  }
  return `The run needed more memory than it may (${limits.heapMb} MB) or its thread broke.`;
}
