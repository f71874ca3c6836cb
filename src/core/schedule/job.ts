import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";

/** What a job is given at each run. */
export type JobContext = {
  readonly db: Db;
  /** Aborted when the run has lost its lease, has taken too long, or its process stops. */
  readonly signal: AbortSignal;
};

/** Work that is done again and again, by one process of the cluster at a time. */
export type Job = {
  /** Unique in the cluster: small letters, digits and hyphens. */
  readonly name: string;
  /** From the start of one run to the start of the next; one that takes longer is followed by the next at once. */
  readonly everyMs: number;
  /** Does it once. A killed run is made again, so it has to bear being cut off anywhere. What it throws is noted. */
  readonly run: (context: JobContext) => Promise<void>;
};

const NAME = /^[a-z][a-z0-9-]{0,63}$/;

/** Declares a job; a list of them is the default export of a feature's `schedule.ts`. Throws where it is unfit. */
export function defineJob(job: Job): Job {
  const { name, everyMs } = job;
  if (!NAME.test(name)) throw new Error(`"${name}" is no name of a job: small letters, digits and hyphens`);
  if (!Number.isSafeInteger(everyMs) || everyMs < LIMITS.jobEveryMs.min || everyMs > LIMITS.jobEveryMs.max) {
    const { min, max } = LIMITS.jobEveryMs;
    throw new Error(
      `the job ${name} runs every ${min} to ${max} ms, in whole ones, and not every ${everyMs}`,
    );
  }
  return job;
}
