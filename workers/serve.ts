import { SpanKind } from "@opentelemetry/api";
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Capability } from "../src/core/catalog/capability.ts";
import type { ClaimedCall, Consumer } from "../src/core/calls/dispatch.ts";
import type { Outcome } from "../src/core/calls/execute.ts";
import { failure } from "../src/core/calls/execute.ts";
import { OutputStore } from "../src/core/calls/outputs.ts";
import { isNeeded, POOL_SETTINGS, type WorkerPool } from "../src/core/calls/pools.ts";
import { type EndColumns, Work } from "../src/core/calls/work.ts";
import { aboutCall } from "../src/core/calls/settle.ts";
import { isOutage } from "../src/core/errors.ts";
import { LIMITS } from "../src/core/limits.ts";
import { beginSpan, endSpan, inSpan } from "../src/core/observe/tracing.ts";
import { runJobs } from "../src/platform/jobs.ts";
import type { Runtime } from "../src/platform/runtime.ts";
import { createRunner, type Runner } from "./runner.ts";

/** Why a running call is stopped before it is done. */
type StopReason = "cancelled" | "deadline" | "lost" | "handed back";

/** What tells one run from another, also from an earlier one of the same call. */
const runOf = ({ id, attempt }: { readonly id: string; readonly attempt: number }): string =>
  `${id} ${attempt}`;

type Running = {
  readonly begunAt: number;
  readonly call: ClaimedCall;
  readonly pool: WorkerPool;
  readonly stop: AbortController;
  /** Settled when all that the run told so far is stored, or could not be. */
  told: Promise<void>;
};

/** A pool, and how many of its calls run at once in this process. */
export type ServedPool = { readonly pool: WorkerPool; readonly slots: number };

export type Server = {
  /** Takes no more, lets what runs end until `drainMs` is over, and gives the rest back to the queue. */
  drain(drainMs: number): Promise<void>;
};

/** Serves pools in this process: claims calls, runs them, reports their ends. With the pool `system` come the scheduled jobs. */
export async function serve(runtime: Runtime, pools: readonly ServedPool[]): Promise<Server> {
  const worker = new PoolWorker(runtime, pools);
  await worker.start();
  if (!pools.some(({ pool }) => pool === "system")) return worker;
  const jobs = await runJobs(runtime);
  return { drain: async (drainMs) => void (await Promise.all([worker.drain(drainMs), jobs.stop(drainMs)])) };
}

class PoolWorker implements Server {
  readonly #runtime: Runtime;
  readonly #pools: readonly ServedPool[];
  readonly #name = `${hostname()}-${process.pid}-${randomBytes(4).toString("hex")}`;
  readonly #work: Work;
  readonly #outputs: OutputStore;
  readonly #running = new Map<string, Running>();
  readonly #runners = new Map<WorkerPool, Runner>();
  readonly #consumers: Consumer[] = [];
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(runtime: Runtime, pools: readonly ServedPool[]) {
    this.#runtime = runtime;
    this.#pools = pools;
    this.#work = new Work(runtime.db, this.#name);
    this.#outputs = new OutputStore(runtime.store);
  }

  async start(): Promise<void> {
    const { bus, dispatcher, log } = this.#runtime;
    const every = (ms: number, act: () => Promise<void>): void => {
      this.#timers.push(
        setInterval(() => void act().catch((error: unknown) => log.warn({ err: error }, "worker")), ms),
      );
    };
    await bus.subscribe((wakes) => {
      for (const { kind, callId } of wakes) if (kind === "cancel") this.#cancel(callId);
    });
    this.#runtime.db.setIdle(true);
    every(LIMITS.renewMs, () => this.#renew());
    every(LIMITS.renewMs, () => this.#sayAlive());
    await this.#sayAlive();
    for (const { pool, slots } of this.#pools) {
      this.#runners.set(pool, createRunner(this.#runtime, POOL_SETTINGS[pool].threads, slots));
      const consumer = await dispatcher.consume(pool, {
        slots,
        claim: async (count) => (this.#needed(pool) ? await this.#work.claim(pool, count) : []),
        run: (call) => this.#run(pool, call),
      });
      this.#consumers.push(consumer);
    }
  }

  async drain(drainMs: number): Promise<void> {
    await Promise.all(this.#consumers.map((consumer) => consumer.stop()));
    const giveUpAt = performance.now() + drainMs;
    while (this.#running.size > 0 && performance.now() < giveUpAt) await sleep(20);
    await this.#handBackRest();
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([...this.#runners.values()].map((runner) => runner.close()));
    await this.#runtime.db.query("delete from workers where name = $1", [this.#name]);
  }

  /** Whether any capability that this process knows has its calls run in the pool; where none has, none wait there. */
  #needed(pool: WorkerPool): boolean {
    return isNeeded(pool, this.#runtime.catalog.snapshot.pools);
  }

  #cancel(callId: string): void {
    for (const { call, stop } of this.#running.values()) {
      if (call.id === callId) stop.abort("cancelled" satisfies StopReason);
    }
  }

  async #handBackRest(): Promise<void> {
    if (this.#running.size === 0) return;
    const { bus, dispatcher } = this.#runtime;
    const back = await this.#work.handBack([...this.#running.values()].map(({ call }) => call));
    for (const { stop } of this.#running.values()) stop.abort("handed back" satisfies StopReason);
    for (const { id, pool } of back) await dispatcher.announce(pool, [id]);
    bus.publish(back.map(({ id }) => ({ kind: "event", callId: id })));
  }

  async #run(pool: WorkerPool, call: ClaimedCall): Promise<void> {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort("deadline" satisfies StopReason), call.leftMs);
    const running: Running = { begunAt: performance.now(), call, pool, stop, told: Promise.resolve() };
    this.#running.set(runOf(call), running);
    this.#runtime.db.setIdle(false);
    const about = { ...aboutCall({ ...call, pool }), "meshforge.attempt": call.attempt };
    endSpan(beginSpan("queue", { under: call.traceparent, startedAt: Date.now() - call.waitedMs, about }));
    const span = beginSpan("run", { under: call.traceparent, kind: SpanKind.CONSUMER, about });
    try {
      const outcome = await inSpan(span, () => this.#outcomeOf(running));
      clearTimeout(timer);
      // Nothing can be told of a call that has ended.
      await running.told;
      await this.#report(running, outcome);
    } catch (error) {
      // The lease runs out, and the call is run again or given up: nothing is lost but time.
      this.#runtime.log.error({ err: error, callId: call.id }, "a call could not be reported");
    } finally {
      clearTimeout(timer);
      this.#running.delete(runOf(call));
      this.#runtime.db.setIdle(this.#running.size === 0);
    }
  }

  /** The outcome of the handler, or null when it was stopped and did not end by itself within the grace. */
  async #outcomeOf(running: Running): Promise<Outcome | null> {
    const { bus } = this.#runtime;
    const { call, pool } = running;
    const { signal } = running.stop;
    bus.publish([{ kind: "event", callId: call.id }]);
    const capability = await this.#capabilityOf(call.slug);
    const runner = this.#runners.get(pool);
    if (capability === undefined || runner === undefined) {
      return failure("internal_error", `This worker does not have the capability ${call.slug}.`);
    }
    const stopped = Promise.withResolvers<null>();
    const onAbort = (): void => void setTimeout(() => stopped.resolve(null), LIMITS.abortGraceMs);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const progress = (data: string): void => {
        if (data.length <= LIMITS.progressBytes) running.told = this.#progress(call, data);
      };
      return await Promise.race([runner.run({ capability, call, signal, progress }), stopped.promise]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** What was listed a moment ago may be called before this process has heard of it. */
  async #capabilityOf(slug: string): Promise<Capability | undefined> {
    const { catalog, listings } = this.#runtime;
    const known = catalog.bySlug(slug);
    if (known !== undefined) return known;
    await listings
      .refresh()
      .catch((error: unknown) => this.#runtime.log.warn({ err: error, slug }, "listings were not read"));
    return catalog.bySlug(slug);
  }

  async #report({ call, pool, begunAt, stop }: Running, outcome: Outcome | null): Promise<void> {
    const runMs = performance.now() - begunAt;
    const end = await this.#endOf(outcome, stop.signal);
    if (end === null) return;
    this.#runtime.failPoint("between finishing and settling");
    const about = { ...aboutCall({ ...call, pool }), "meshforge.outcome": end.state };
    const verdict = await inSpan(beginSpan("end", { under: call.traceparent, about }), () =>
      this.#work.end({ id: call.id, attempt: call.attempt, ...end }),
    );
    if (verdict === "stale") {
      this.#runtime.log.warn({ callId: call.id, attempt: call.attempt }, "a late result was dropped");
      return;
    }
    this.#runtime.bus.publish([{ kind: "ended", callId: call.id }]);
    const { id: callId, requestId, accountId, slug, waitedMs: waitMs } = call;
    this.#runtime.onCallEnd({ callId, requestId, accountId, slug, pool, outcome: end.state, waitMs, runMs });
    if (call.parentId === null) return;
    this.#runtime.failPoint("between ending and advancing");
    void this.#runtime.runs.advance(call.parentId);
  }

  /** What to report; null where the call is no longer this worker's to report. */
  async #endOf(outcome: Outcome | null, signal: AbortSignal): Promise<EndColumns | null> {
    const reason = signal.aborted ? (signal.reason as StopReason) : null;
    if (reason === "lost" || reason === "handed back") return null;
    if (reason === "cancelled") {
      return {
        state: "cancelled",
        error_code: "cancelled",
        error_message: "The caller cancelled this call.",
      };
    }
    if (reason === "deadline" || outcome === null) {
      return {
        state: "expired",
        error_code: "deadline_exceeded",
        error_message: "The call did not end within the time that its capability may take.",
      };
    }
    try {
      return await this.#outputs.columns(outcome);
    } catch (error) {
      this.#runtime.log.error({ err: error }, "an output could not be stored");
      const code = isOutage(error) ? "unavailable" : "internal_error";
      return await this.#outputs.columns(failure(code, "The result could not be stored."));
    }
  }

  /** Never rejects. What is told is stored in order, so that the last is stored after all others. */
  #progress(call: ClaimedCall, data: string): Promise<void> {
    const { bus, log } = this.#runtime;
    return this.#work
      .progress({ id: call.id, attempt: call.attempt, data })
      .then(() => bus.publish([{ kind: "event", callId: call.id }]))
      .catch((error: unknown) => log.warn({ err: error, callId: call.id }, "progress was not stored"));
  }

  async #renew(): Promise<void> {
    if (this.#running.size === 0) return;
    const held = [...this.#running.values()].map(({ call }) => ({ id: call.id, attempt: call.attempt }));
    for (const { verdict, ...run } of await this.#work.renew(held)) {
      if (verdict === "kept") continue;
      this.#running
        .get(runOf(run))
        ?.stop.abort((verdict === "cancel" ? "cancelled" : "lost") satisfies StopReason);
    }
  }

  async #sayAlive(): Promise<void> {
    await this.#runtime.db.query(
      `insert into workers (name, pool, slots, running, seen_at)
       select $1, p.pool, p.slots, p.running, clock_now()
         from unnest($2::text[], $3::integer[], $4::integer[]) p(pool, slots, running)
       on conflict (name, pool) do update set running = excluded.running, seen_at = excluded.seen_at`,
      [
        this.#name,
        this.#pools.map(({ pool }) => pool),
        this.#pools.map(({ slots }) => slots),
        this.#pools.map(
          ({ pool }) => [...this.#running.values()].filter((running) => running.pool === pool).length,
        ),
      ],
    );
  }
}
