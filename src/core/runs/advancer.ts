import { batch } from "../batch.ts";
import { canonicalJson } from "../canonical.ts";
import type { Dispatcher, Wake, WakeBus } from "../calls/dispatch.ts";
import { noteEnds } from "../calls/ends.ts";
import { placeOutputs } from "../calls/outputs.ts";
import { aboutCall } from "../calls/settle.ts";
import type { Capability } from "../catalog/capability.ts";
import { loadRunRules } from "../catalog/folders.ts";
import type { Pool } from "../catalog/define.ts";
import type { FailPoint } from "../fail-point.ts";
import { LIMITS } from "../limits.ts";
import type { ObserveEnd } from "../observe/call-end.ts";
import { beginSpan, endSpan } from "../observe/tracing.ts";
import { isOpen } from "./graph.ts";
import { type Plan, planAdvance, type PlanOptions } from "./plan.ts";
import { readRuns, type StoredRun } from "./read-runs.ts";
import type { RunRules } from "./run-rules.ts";

export type AdvancerOptions = Omit<PlanOptions, "rulesOf"> & {
  readonly dispatcher: Dispatcher;
  readonly bus: WakeBus;
  readonly failPoint: FailPoint;
  readonly onCallEnd: ObserveEnd;
};

/**
 * Takes runs on, as their mail says. Any number of processes may advance the same run at once: one of them does it, and
 * the others find it done. What is missed, because a process died at the wrong moment, the sweep makes good.
 */
export class Advancer {
  readonly #options: AdvancerOptions;
  readonly #rules = new Map<string, Promise<RunRules>>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #advance: (runId: string) => Promise<void>;

  constructor(options: AdvancerOptions) {
    this.#options = options;
    this.#advance = batch<string, void>({
      maxItems: LIMITS.runBatch,
      maxInFlight: 1,
      run: async (ids) => {
        await this.#advanceAll([...new Set(ids)]);
        return ids.map(() => undefined);
      },
    });
  }

  /** Advances a run as far as what has come for it goes. Never rejects. */
  advance(runId: string): Promise<void> {
    const advancing: Promise<void> = this.#advance(runId)
      .catch((error: unknown) => this.#options.onError(error, { callId: runId, at: "advance" }))
      .finally(() => this.#underWay.delete(advancing));
    this.#underWay.add(advancing);
    return advancing;
  }

  /** Resolves when nothing is being advanced by this process any more. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** The rules of a kind of run. */
  rulesOf({ slug, folder }: Capability): Promise<RunRules> {
    let rules = this.#rules.get(slug);
    if (rules === undefined) this.#rules.set(slug, (rules = loadRunRules(folder)));
    return rules;
  }

  async #advanceAll(ids: readonly string[]): Promise<void> {
    let open = ids;
    for (let nth = 0; nth < LIMITS.runTries && open.length > 0; nth++) {
      const startedAt = Date.now();
      const due = (await readRuns(this.#options.db, open)).filter(isDue);
      const plans = await Promise.all(due.map((run) => this.#plan(run)));
      this.#options.failPoint("between reading and advancing");
      open = await this.#commit(
        plans.filter((plan) => plan !== null),
        startedAt,
      );
    }
  }

  /** One run that cannot be planned, because a store is away, holds up no other. The sweep comes back to it. */
  async #plan(run: StoredRun): Promise<Plan | null> {
    try {
      return await planAdvance({ ...this.#options, rulesOf: (capability) => this.rulesOf(capability) }, run);
    } catch (error) {
      this.#options.onError(error, { callId: run.id, at: "plan" });
      return null;
    }
  }

  /** Gives the runs that were overtaken. */
  async #commit(plans: readonly Plan[], startedAt: number): Promise<string[]> {
    if (plans.length === 0) return [];
    const ends = placeOutputs(
      plans.flatMap(({ run, end }) => (end === null ? [] : [{ id: run.id, ...end }])),
    );
    const rows = await this.#options.db.query<{ id: string; verdict: "advanced" | "conflict" }>(
      "select id, verdict from commit_runs($1, $2, $3, $4, $5, $6, $7)",
      [
        JSON.stringify(plans.map(changeOf)),
        JSON.stringify(plans.flatMap(nodesOf)),
        JSON.stringify(plans.flatMap(({ calls }) => calls)),
        JSON.stringify(plans.flatMap(mailOf)),
        JSON.stringify(plans.flatMap(eventsOf)),
        JSON.stringify(ends.items),
        ends.outputs,
      ],
    );
    const overtaken = new Set(rows.filter(({ verdict }) => verdict === "conflict").map(({ id }) => id));
    const committed = plans.filter(({ run }) => !overtaken.has(run.id));
    for (const plan of committed) {
      trace(plan, startedAt);
      this.#tell(plan);
    }
    await this.#observe(committed);
    return [...overtaken];
  }

  /** Notes the ends that no worker reports: of the runs themselves, and of what was taken back while it waited. */
  async #observe(plans: readonly Plan[]): Promise<void> {
    const { db, onCallEnd, onError } = this.#options;
    const ids = plans.flatMap(({ run, cancels, end }) => (end === null ? cancels : [run.id, ...cancels]));
    await noteEnds(db, ids, "run", onCallEnd).catch((error: unknown) => onError(error, { at: "observe" }));
  }

  /** Hints and wake-ups of what was committed, and the advances that follow from it. Nobody waits for them. */
  #tell({ run, after, calls, cancels, end }: Plan): void {
    const { dispatcher, bus, onError } = this.#options;
    const queued = calls.filter(({ state }) => state === "queued");
    for (const [pool, ofPool] of Map.groupBy(queued, (call): Pool => call.pool)) {
      const ids = ofPool.map(({ id }) => id);
      dispatcher.announce(pool, ids).catch((error: unknown) => onError(error, { callId: run.id }));
    }
    const wakes: Wake[] = cancels.map((callId) => ({ kind: "cancel", callId }));
    if (end !== null) wakes.push({ kind: "ended", callId: run.id });
    else if (after.events.length > 0 || run.version === 0) wakes.push({ kind: "event", callId: run.id });
    bus.publish(wakes);
    const runs = calls.filter(({ state }) => state === "waiting").map(({ id }) => id);
    const parents = end !== null && run.parentId !== null ? [run.parentId] : [];
    // A call that was taken back while it waited has ended, which is mail; and it may be a run itself.
    const own = cancels.length > 0 ? [run.id, ...cancels] : [];
    for (const id of [...runs, ...parents, ...own]) void this.advance(id);
  }
}

/** An advance that was committed, in the trace of the call that the run is. */
function trace({ run, calls, end }: Plan, startedAt: number): void {
  const about = {
    ...aboutCall({ id: run.id, slug: run.slug, pool: "run" }),
    "meshforge.calls": calls.length,
    "meshforge.outcome": end?.state,
  };
  endSpan(beginSpan("advance", { under: run.traceparent, startedAt, about }));
}

const isDue = ({ mail, version, hasEnded }: StoredRun): boolean =>
  mail.length > 0 || (version === 0 && !hasEnded);

const changeOf = ({ run, after, cancels, end }: Plan, ord: number): object => ({
  ord,
  id: run.id,
  version: run.version,
  document: after.document === null ? null : canonicalJson(after.document),
  nodes: after.nodes.size,
  open: [...after.nodes.values()].filter(isOpen).length,
  cancels,
  ends: end !== null,
});

/** The nodes that are new or another than before. */
function nodesOf({ run, after, calls }: Plan): object[] {
  const before = new Map(run.nodes.map((node) => [node.name, node]));
  const versions = new Map(calls.map(({ id, version }) => [id, version]));
  return [...after.nodes.values()].flatMap((node, nth) =>
    before.get(node.name) === node
      ? []
      : [
          {
            run_id: run.id,
            name: node.name,
            nth,
            slug: node.slug,
            version: versions.get(node.callId ?? "") ?? null,
            needs: node.needs,
            input: canonicalJson(node.input),
            on_failure: node.onFailure,
            state: node.state,
            call_id: node.callId,
            error_code: node.state === "failed" ? node.error?.code : null,
            error_message: node.state === "failed" ? node.error?.message : null,
          },
        ],
  );
}

const mailOf = ({ run }: Plan): object[] =>
  run.mail.map(({ callId, kind }) => ({ run_id: run.id, call_id: callId, kind }));

/** That a run has begun is told with its first advance. The last place is kept for its end. */
function eventsOf({ run, after }: Plan): object[] {
  const begun = run.version === 0 ? [{ type: "status", data: { status: "running", attempt: 1 } }] : [];
  return [...begun, ...after.events]
    .slice(0, Math.max(0, LIMITS.eventsPerCall - 1 - run.events))
    .map(({ type, data }, nth) => ({ run_id: run.id, nth, type, data: JSON.stringify(data) }));
}
