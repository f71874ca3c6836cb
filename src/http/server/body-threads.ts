import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Piscina } from "piscina";
import { AppError, faultOf, overloaded } from "../../core/errors.ts";
import { LIMITS } from "../../core/limits.ts";
import { modulePath } from "../../core/module-path.ts";
import { Quota } from "../../core/quota.ts";
import type { BodyRead, BodyTask } from "./body-thread.ts";

/** Reads long bodies in threads of this process, so that its event loop goes on serving everybody else. */
export class BodyThreads {
  readonly #inThreads = new Quota(LIMITS.bodiesInThreads);
  #pool: Promise<Piscina<BodyTask, BodyRead>> | undefined;

  /**
   * Reads a body, whose memory goes over to the thread. Throws what makes it unreadable, or `overloaded` when too many
   * wait, of this owner or in all.
   */
  async read(task: BodyTask, owner: string): Promise<Exclude<BodyRead, { readonly unreadable: unknown }>> {
    if (!this.#inThreads.tryTake(owner, 1))
      throw overloaded("This service is reading as many long bodies as it can.");
    try {
      const transferList = task.blocks.map(({ buffer }) => buffer as ArrayBuffer);
      const pool = await (this.#pool ??= openPool());
      const read = await pool.run(task, { transferList, signal: AbortSignal.timeout(LIMITS.bodyThreadMs) });
      if ("unreadable" in read) throw faultOf(read.unreadable);
      return read;
    } catch (error) {
      throw error instanceof Error ? asRefusal(error) : error;
    } finally {
      this.#inThreads.give(owner, 1);
    }
  }

  async close(): Promise<void> {
    await (await this.#pool)?.destroy();
  }
}

/** Loaded with the first long body: without any, neither the pool nor a thread takes memory. */
async function openPool(): Promise<Piscina<BodyTask, BodyRead>> {
  const { Piscina } = await import("piscina");
  return new Piscina<BodyTask, BodyRead>({
    filename: modulePath(join(import.meta.dirname, "body-thread.ts")),
    minThreads: 0,
    maxThreads: Math.max(1, availableParallelism() - 1),
    maxQueue: LIMITS.bodiesInThreads,
    idleTimeout: LIMITS.bodyThreadIdleMs,
    resourceLimits: { maxOldGenerationSizeMb: LIMITS.bodyThreadHeapMb },
  });
}

/** What the pool itself says: the thread was ended for its time or its memory. */
function asRefusal(error: Error & { readonly code?: unknown }): Error {
  if (error.name === "AbortError") return overloaded("Reading this body took longer than it may.");
  if (error.code === "ERR_WORKER_OUT_OF_MEMORY")
    return new AppError("payload_too_large", "Reading this body takes more memory than it may.");
  return error;
}
