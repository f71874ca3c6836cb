import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import type { Job } from "./job.ts";
import { endRun, enterJobs, type HeldRun, takeTurns } from "./schedules.ts";

/** Why a run is to end before it is done. */
type StopReason = "lost" | "late" | "stopping";

type Run = HeldRun & { readonly stop: AbortController; readonly done: Promise<void> };

export type SchedulerOptions = {
  readonly db: Db;
  readonly jobs: readonly Job[];
  /** A run went wrong, or, with null, the look at what is due did. */
  readonly onError: (error: unknown, job: string | null) => void;
};

/**
 * Runs jobs when they are due. Any number of processes may: each run is one's, until its lease runs out. One look at the
 * database serves all jobs of the process. A process that finds another ahead of it looks a little later the next time,
 * so that the others only ask now and then whether that one is still there.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #runs = new Map<string, Run>();
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  #pause = new AbortController();

  /** Throws where two jobs have one name. */
  constructor(options: SchedulerOptions) {
    this.#options = options;
    const names = options.jobs.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`two jobs are called ${twice}`);
  }

  start(): void {
    this.#loop = this.#keepLooking();
  }

  /** Takes no more, and ends what runs; what could not end well is due again at once, for another. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#pause.abort();
    await this.#loop;
    for (const { stop } of this.#runs.values()) stop.abort("stopping" satisfies StopReason);
    await Promise.all([...this.#runs.values()].map(({ done }) => done));
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#stop;
    const { db, jobs, onError } = this.#options;
    let entered = false;
    while (!signal.aborted) {
      let pauseMs: number = LIMITS.jobRetryMs;
      try {
        if (!entered) await enterJobs(db, jobs);
        entered = true;
        pauseMs = await this.#look();
      } catch (error) {
        onError(error, null);
      }
      await sleep(pauseMs, undefined, { signal: this.#pause.signal }).catch(() => undefined);
      this.#pause = new AbortController();
    }
  }

  /** Begins what is due, and says when to look again. */
  async #look(): Promise<number> {
    const { db, jobs } = this.#options;
    const idle = jobs.filter(({ name }) => !this.#runs.has(name));
    const turns = await takeTurns(db, {
      names: idle.map(({ name }) => name),
      held: [...this.#runs.values()],
      leaseMs: LIMITS.leaseMs,
    });
    let ahead = false;
    for (const { name, verdict, fence } of turns) {
      const job = idle.find((one) => one.name === name);
      if (verdict === "lost") this.#runs.get(name)?.stop.abort("lost" satisfies StopReason);
      if (verdict === "kept" || verdict === "taken") ahead = true;
      if (verdict === "taken" && job !== undefined) this.#begin(job, fence);
    }
    const nextMs = Math.min(
      ...turns.filter(({ verdict }) => verdict !== "lost").map((turn) => turn.due_in_ms),
    );
    const lagMs = ahead ? LIMITS.jobLagMs.runner : LIMITS.jobLagMs.standby;
    return Math.min(LIMITS.renewMs, nextMs + lagMs);
  }

  #begin(job: Job, fence: number): void {
    const stop = new AbortController();
    const begunAt = performance.now();
    const done = this.#run(job, fence, stop).finally(() => {
      this.#runs.delete(job.name);
      // The next one is due already.
      if (performance.now() - begunAt > job.everyMs) this.#pause.abort();
    });
    this.#runs.set(job.name, { name: job.name, fence, stop, done });
  }

  /** Never rejects. */
  async #run(job: Job, fence: number, stop: AbortController): Promise<void> {
    const { db, onError } = this.#options;
    const held = { name: job.name, fence };
    const timer = setTimeout(() => stop.abort("late" satisfies StopReason), LIMITS.jobMs);
    try {
      await unlessStopped(job.run({ db, signal: stop.signal }), stop.signal);
      await endRun(db, held, "ran");
    } catch (error) {
      const handedBack = stop.signal.reason === ("stopping" satisfies StopReason);
      if (!handedBack) onError(error, job.name);
      // Where it cannot be noted, the lease runs out, and the job is run again.
      await endRun(db, held, handedBack ? "handed back" : "failed").catch((fault: unknown) =>
        onError(fault, job.name),
      );
    } finally {
      clearTimeout(timer);
    }
  }
}

/** What `running` comes to; throws where it is stopped and has not ended within the grace. */
async function unlessStopped(running: Promise<void>, signal: AbortSignal): Promise<void> {
  const gone = Promise.withResolvers<void>();
  let grace: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    const why = new Error(`a run was stopped (${String(signal.reason)}) and did not end`);
    grace = setTimeout(() => gone.reject(why), LIMITS.abortGraceMs);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([running, gone.promise]);
  } finally {
    clearTimeout(grace);
    signal.removeEventListener("abort", onAbort);
  }
}
