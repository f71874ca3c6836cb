import { readPools } from "../core/calls/pool-stats.ts";
import { withDatabase } from "./database-url.ts";
import { table } from "./table.ts";

/** Shows how each pool does. */
export async function pools({ json = false }: { readonly json?: boolean }): Promise<void> {
  const stats = await withDatabase(readPools);
  if (json) {
    console.log(JSON.stringify({ pools: stats }));
    return;
  }
  const head = ["pool", "queued", "running", "oldest ms", "workers", "slots", "done/min", "failed/min", "wait p50", "wait p99", "run p50", "run p99"]; // prettier-ignore
  console.log(
    table(
      head,
      stats.map((p) => [
        p.pool, p.queued, p.running, p.oldest_age_ms, p.workers, p.slots, p.done_last_minute, p.failed_last_minute,
        p.wait_p50_ms, p.wait_p99_ms, p.run_p50_ms, p.run_p99_ms,
      ]), // prettier-ignore
    ),
  );
}
