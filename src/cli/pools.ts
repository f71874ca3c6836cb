import { readPools } from "../core/calls/pool-stats.ts";
import { readSchedules } from "../core/schedule/schedules.ts";
import { withDatabase } from "./database-url.ts";
import { table } from "./table.ts";

/** Shows how each pool does, and when each scheduled job last ran. */
export async function pools({ json = false }: { readonly json?: boolean }): Promise<void> {
  const { stats, schedules } = await withDatabase(async (db) => ({
    stats: await readPools(db),
    schedules: await readSchedules(db),
  }));
  if (json) {
    console.log(JSON.stringify({ pools: stats, schedules }));
    return;
  }
  const head = ["pool", "queued", "running", "oldest ms", "workers", "slots", "done/min", "failed/min", "wait p50", "wait p99", "run p50", "run p99"]; // prettier-ignore
  const rows = stats.map((p) => [
    p.pool, p.queued, p.running, p.oldest_age_ms, p.workers, p.slots, p.done_last_minute, p.failed_last_minute,
    p.wait_p50_ms, p.wait_p99_ms, p.run_p50_ms, p.run_p99_ms,
  ]); // prettier-ignore
  console.log(table(head, rows));
  const jobs = schedules.map((job) => [
    job.name,
    job.every_ms,
    shown(job.last_ran_at),
    shown(job.last_failed_at),
  ]);
  console.log(`\n${table(["job", "every ms", "last ran", "last failed"], jobs)}`);
}

const shown = (at: Date | null): string | null => at?.toISOString() ?? null;
