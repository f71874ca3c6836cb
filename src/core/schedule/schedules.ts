import type { Db } from "../db.ts";
import type { Job } from "./job.ts";

/** A job as the cluster sees it. */
export type Schedule = {
  readonly name: string;
  readonly every_ms: number;
  /** When a run last ended, well or badly; null before the first. */
  readonly last_ran_at: Date | null;
  /** When a run last ended badly, or was found to have been lost with its process; null where none has. */
  readonly last_failed_at: Date | null;
};

/** All jobs that any process ever brought, by name. */
export async function readSchedules(db: Db): Promise<Schedule[]> {
  return await db.query<Schedule>(
    "select name, every_ms, last_ran_at, last_failed_at from schedules order by name",
  );
}

/** Sees to it that these jobs have rows. A new one is due at once. */
export async function enterJobs(db: Db, jobs: readonly Job[]): Promise<void> {
  await db.query(
    "select from enter_schedules($1, $2)",
    [jobs.map(({ name }) => name), jobs.map(({ everyMs }) => everyMs)],
    { repeatable: true },
  );
}

/** A run that a process holds. (`name`, `fence`) tells it from all others of the job. */
export type HeldRun = { readonly name: string; readonly fence: number };

/** How a job stands after a process looked at it. */
export type Turn = {
  readonly name: string;
  /** `taken`: this process runs it now. `kept`: it goes on. `lost`: its lease ran out, and it is another's or nobody's. */
  readonly verdict: "taken" | "kept" | "lost" | "waits";
  readonly fence: number;
  /** When it is due, or when the lease that another holds runs out. */
  readonly due_in_ms: number;
};

/** Takes what is due among `names`, and renews the leases of `held`. */
export async function takeTurns(
  db: Db,
  look: { readonly names: readonly string[]; readonly held: readonly HeldRun[]; readonly leaseMs: number },
): Promise<Turn[]> {
  return await db.query<Turn>("select name, verdict, fence, due_in_ms from take_schedules($1, $2, $3, $4)", [
    look.names,
    look.held.map(({ name }) => name),
    look.held.map(({ fence }) => fence),
    look.leaseMs,
  ]);
}

/** Notes the end of a run. `handed back`: it was cut off by the end of its process, and is due again at once. */
export async function endRun(
  db: Db,
  { name, fence }: HeldRun,
  outcome: "ran" | "failed" | "handed back",
): Promise<void> {
  await db.query("select from end_schedule($1, $2, $3)", [name, fence, outcome], { repeatable: true });
}
