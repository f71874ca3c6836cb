import { POOLS } from "../../core/catalog/define.ts";
import type { Db } from "../../core/db.ts";
import { type Histogram, type PoolCounters, readPoolCounts } from "../../core/observe/pool-counters.ts";
import { readQueues } from "../../core/observe/queues.ts";
import { readSchedules } from "../../core/schedule/schedules.ts";

export type MetricsServices = {
  readonly db: Db;
  readonly counters: Pick<PoolCounters, "flushSoon">;
  readonly connections: () => { readonly total: number; readonly waiting: number };
};

type Value = {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
};
/** A metric in the form in which the library's registries are put together from those of other processes. */
type Metric = {
  readonly name: string;
  readonly help: string;
  readonly type: "gauge" | "counter" | "histogram";
  readonly aggregator: "first";
  readonly values: readonly Value[];
};

/** What `GET /metrics` answers. */
export type Metrics = { readonly contentType: string; readonly text: () => Promise<string> };

/**
 * All metrics, in the Prometheus text format: those named `meshforge_` of the whole cluster, the same at each API, and
 * those of this process. Nothing in them comes from a call but its pool and its outcome.
 */
export async function createMetrics(services: MetricsServices): Promise<Metrics> {
  const { collectDefaultMetrics, Gauge, Registry } = await import("@prometheus-io/client");
  const own = new Registry();
  collectDefaultMetrics({ register: own });
  const connections = new Gauge({
    name: "process_database_connections",
    help: "Connections of this process to the database, and who waits for one.",
    labelNames: ["state"],
    registers: [own],
    collect() {
      const { total, waiting } = services.connections();
      this.set({ state: "open" }, total);
      this.set({ state: "waited_for" }, waiting);
    },
  });
  own.registerMetric(connections);
  return {
    contentType: own.contentType,
    text: async () => {
      const cluster = Registry.aggregate([await clusterMetrics(services)]);
      return `${await cluster.metrics()}\n${await own.metrics()}`;
    },
  };
}

async function clusterMetrics({ db, counters }: MetricsServices): Promise<Metric[]> {
  await counters.flushSoon();
  const [queues, counts, jobs] = await Promise.all([
    readQueues(db, POOLS),
    readPoolCounts(db, POOLS),
    readSchedules(db),
  ]);
  const perPool = (name: string, help: string, of: (queue: (typeof queues)[number]) => number): Metric =>
    metric("gauge", name, help, queues.map((queue) => ({ labels: { pool: queue.pool }, value: of(queue) }))); // prettier-ignore
  const perJob = (name: string, help: string, of: (job: (typeof jobs)[number]) => Date | null): Metric =>
    metric("gauge", name, help, jobs.flatMap((job) => {
      const at = of(job);
      return at === null ? [] : [{ labels: { job: job.name }, value: at.getTime() / 1000 }];
    })); // prettier-ignore
  const times = (name: string, help: string, of: (pool: (typeof counts)[number]) => Histogram): Metric =>
    metric(
      "histogram",
      name,
      help,
      counts.flatMap((pool) => histogramValues(name, pool.pool, of(pool))),
    );
  return [
    perPool("meshforge_queue_depth", "Calls that wait.", ({ queued }) => queued),
    perPool(
      "meshforge_queue_oldest_seconds",
      "Age of the call that waits longest.",
      ({ oldest_s }) => oldest_s,
    ),
    perPool("meshforge_running_calls", "Calls that run.", ({ running }) => running),
    perPool("meshforge_workers", "Worker processes that live.", ({ workers }) => workers),
    perPool("meshforge_worker_slots", "Calls that the workers run at once at most.", ({ slots }) => slots),
    metric("counter", "meshforge_calls_total", "Calls that ended.", counts.flatMap(({ pool, outcomes }) =>
      [...outcomes].map(([outcome, value]) => ({ labels: { pool, outcome }, value })),
    )), // prettier-ignore
    times(
      "meshforge_call_wait_seconds",
      "From the making of a call to its start.",
      (pool) => pool.times.wait,
    ),
    times("meshforge_call_run_seconds", "From the start of a call to its end.", (pool) => pool.times.run),
    perJob("meshforge_job_last_ran_timestamp_seconds", "When a scheduled job last ran.", (job) => job.last_ran_at), // prettier-ignore
    perJob("meshforge_job_last_failed_timestamp_seconds", "When a scheduled job last failed.", (job) => job.last_failed_at), // prettier-ignore
  ];
}

const metric = (type: Metric["type"], name: string, help: string, values: readonly Value[]): Metric => ({
  name,
  help,
  type,
  aggregator: "first",
  values,
});

function histogramValues(name: string, pool: string, { buckets, sum }: Histogram): Value[] {
  const count = buckets.at(-1)?.count ?? 0;
  return [
    ...buckets.map(({ le, count: value }) => ({
      labels: { le, pool },
      value,
      metricName: `${name}_bucket`,
    })),
    { labels: { pool }, value: sum, metricName: `${name}_sum` },
    { labels: { pool }, value: count, metricName: `${name}_count` },
  ];
}
