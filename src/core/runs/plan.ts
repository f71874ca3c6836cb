import { canonicalJson, sha256Hex } from "../canonical.ts";
import { outcomeOfOutput, storable } from "../calls/execute.ts";
import type { OutputStore } from "../calls/outputs.ts";
import { TEXT_TIMEOUT_MS } from "../calls/pools.ts";
import type { EndColumns } from "../calls/work.ts";
import type { Availability } from "../catalog/availability.ts";
import type { Capability } from "../catalog/capability.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Pool } from "../catalog/define.ts";
import type { Db } from "../db.ts";
import { AppError, Refusal } from "../errors.ts";
import { newId } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { seededRandom } from "../seeded-random.ts";
import { bound, boundNodes } from "./binding.ts";
import {
  interrupted,
  type NodeEnd,
  readyNodes,
  type RunEnd,
  type RunNode,
  type RunState,
  step,
  type StepContext,
  withStarted,
} from "./graph.ts";
import { readOutputs, type StoredOutput, type StoredRun } from "./read-runs.ts";
import type { RunFailure, RunRules } from "./run-rules.ts";

/** A call that a run makes, as `commit_runs` takes it. */
export type RunCall = {
  readonly run_id: string;
  readonly id: string;
  readonly slug: string;
  readonly version: string;
  readonly pool: Pool;
  readonly state: "queued" | "waiting";
  readonly max_attempts: number;
  readonly timeout_ms: number;
  readonly deadline_ms: number;
  readonly input: string;
  readonly input_sha256: string;
  readonly rules: number | null;
};

/** What an advance is to commit of one run. */
export type Plan = {
  readonly run: StoredRun;
  readonly after: RunState;
  readonly calls: readonly RunCall[];
  /** Calls under way that nobody needs any more. */
  readonly cancels: readonly string[];
  readonly end: EndColumns | null;
};

export type PlanOptions = {
  readonly db: Db;
  readonly catalog: Catalog;
  readonly availability: Pick<Availability, "check">;
  readonly outputs: OutputStore;
  readonly rulesOf: (capability: Capability) => Promise<RunRules>;
  readonly onError: (error: unknown, context: Readonly<Record<string, unknown>>) => void;
};

/** Where a node runs: never in the process that advances its run. A thread has none of the services that some ask. */
function poolOf({ pool, inlineBytes }: Capability): Pool {
  if (pool !== "inline") return pool;
  return inlineBytes === Number.POSITIVE_INFINITY ? "system" : "text";
}

const INTERRUPTIONS = {
  cancel: { state: "cancelled", failure: { code: "cancelled", message: "The caller cancelled this call." } },
  deadline: {
    state: "expired",
    failure: { code: "deadline_exceeded", message: "The call did not end within its deadline." },
  },
} as const satisfies Record<string, RunEnd>;

/** Decides what becomes of a run now that this mail has come. Nothing is changed yet. */
export async function planAdvance(options: PlanOptions, run: StoredRun): Promise<Plan> {
  const before = stateOf(run);
  // What still comes for a run that has ended is taken away, and changes nothing.
  if (run.hasEnded) return { run, after: before, calls: [], cancels: [], end: null };
  const capability = options.catalog.bySlug(run.slug);
  const kind = (["deadline", "cancel"] as const).find((kind) => run.mail.some((mail) => mail.kind === kind));
  const { after, calls } =
    capability === undefined || kind !== undefined
      ? { after: interrupted(before, kind === undefined ? GONE : INTERRUPTIONS[kind]), calls: [] }
      : await new Planning(options, run, await options.rulesOf(capability)).plan(before);
  const made = new Set(calls.map(({ id }) => id));
  const nodes = new Map([...after.nodes].map(([name, node]) => [name, withoutUnmade(node, before, made)]));
  const cancels = [...before.nodes.values()].flatMap(({ name, state, callId }) =>
    state === "started" && callId !== null && nodes.get(name)?.state === "cancelled" ? [callId] : [],
  );
  const end = after.end === null ? null : await endColumns(options, capability, after.end, run);
  return { run, after: { ...after, nodes }, calls, cancels, end };
}

const GONE = {
  state: "failed",
  failure: { code: "unknown_capability", message: "The capability of this run is no longer there." },
} as const satisfies RunEnd;

const stateOf = (run: StoredRun): RunState => ({
  callId: run.id,
  accountId: run.accountId,
  input: run.input,
  document: run.document,
  beganWith: run.rules,
  nodes: new Map(run.nodes.map((node) => [node.name, node])),
  events: [],
  end: null,
});

/** A call that was about to be made when the run ended is not made. */
const withoutUnmade = (node: RunNode, before: RunState, made: ReadonlySet<string>): RunNode =>
  node.callId === null || made.has(node.callId) || before.nodes.get(node.name)?.callId === node.callId
    ? node
    : { ...node, callId: null };

async function endColumns(
  { outputs, onError }: PlanOptions,
  capability: Capability | undefined,
  end: RunEnd,
  run: StoredRun,
): Promise<EndColumns> {
  if (end.state === "succeeded" && capability !== undefined) {
    const onUnexpected = (error: unknown): void => onError(error, { slug: run.slug, callId: run.id });
    return await outputs.columns(outcomeOfOutput(capability, end.output, onUnexpected));
  }
  const { code, message } = end.state === "succeeded" ? GONE.failure : end.failure;
  const error = { error_code: code, error_message: storable(message) };
  if (end.state === "cancelled" || end.state === "expired") return { state: end.state, ...error };
  return { state: "failed", ...error, input_fault: false };
}

/** One advance of one run: asks its rules, and makes ready what they start. */
class Planning {
  readonly #options: PlanOptions;
  readonly #run: StoredRun;
  readonly #context: StepContext;
  /** Of the calls that ended: read along with the mail. */
  readonly #outputs: Map<string, StoredOutput>;

  constructor(options: PlanOptions, run: StoredRun, rules: RunRules) {
    this.#options = options;
    this.#run = run;
    this.#outputs = new Map(run.mail.map(({ callId, output }) => [callId, output]));
    this.#context = {
      rules,
      now: run.now,
      random: seededRandom(`${run.id} ${run.version}`),
      onUnexpected: (error) => options.onError(error, { slug: run.slug, callId: run.id }),
    };
  }

  async plan(before: RunState): Promise<{ readonly after: RunState; readonly calls: readonly RunCall[] }> {
    const calls = new Map<string, RunCall>();
    let state = step(before, await this.#ended(), this.#context);
    for (;;) {
      const ready = await Promise.all(readyNodes(state).map((node) => this.#prepare(node, state)));
      const made = ready.flatMap((one) => ("call" in one ? [one] : []));
      for (const { name, call } of made) calls.set(name, call);
      state = withStarted(state, new Map(made.map(({ name, call }) => [name, call.id])));
      const failed = ready.flatMap((one) => ("call" in one ? [] : [one]));
      if (failed.length === 0) break;
      state = step(state, failed, this.#context);
    }
    const started = [...calls].filter(([name]) => state.nodes.get(name)?.state === "started");
    return { after: state, calls: started.map(([, call]) => call) };
  }

  async #ended(): Promise<NodeEnd[]> {
    const ends = new Map(this.#run.mail.map((mail) => [mail.callId, mail]));
    const found = this.#run.nodes.map(async ({ name, callId }): Promise<NodeEnd[]> => {
      const mail = ends.get(callId ?? "");
      if (mail === undefined) return [];
      if (mail.state !== "succeeded") return [{ name, state: "failed", error: mail.failure ?? UNTOLD }];
      return [{ name, state: "succeeded", error: null, output: await this.#outputOf(mail.callId) }];
    });
    return (await Promise.all(found)).flat();
  }

  async #outputOf(callId: string): Promise<unknown> {
    let stored = this.#outputs.get(callId);
    if (stored === undefined) {
      stored = (await readOutputs(this.#options.db, [callId])).get(callId);
      if (stored === undefined) throw new Error(`the output of ${callId} is not there`);
      this.#outputs.set(callId, stored);
    }
    return JSON.parse((await this.#options.outputs.of(stored)) ?? "null") as unknown;
  }

  /** The call of a node; or its failure, where it fails before it begins. */
  async #prepare(
    node: RunNode,
    state: RunState,
  ): Promise<{ readonly name: string; readonly call: RunCall } | NodeEnd> {
    try {
      return { name: node.name, call: await this.#callOf(node, await this.#inputOf(node, state)) };
    } catch (error) {
      return { name: node.name, state: "failed", error: this.#failureOf(error) };
    }
  }

  async #inputOf(node: RunNode, { nodes }: RunState): Promise<Readonly<Record<string, unknown>>> {
    const outputs = new Map<string, unknown>();
    for (const name of new Set(boundNodes(node.input))) {
      outputs.set(name, await this.#outputOf(nodes.get(name)?.callId ?? ""));
    }
    try {
      return bound(node.input, outputs) as Readonly<Record<string, unknown>>;
    } catch (error) {
      throw new AppError("invalid_input", error instanceof Error ? error.message : String(error));
    }
  }

  async #callOf({ slug }: RunNode, body: Readonly<Record<string, unknown>>): Promise<RunCall> {
    const { catalog, availability, rulesOf } = this.#options;
    const capability = catalog.bySlug(slug);
    if (capability === undefined) throw new AppError("unknown_capability", `There is no capability ${slug}.`);
    await availability.check(capability);
    const isRun = capability.pool === "run";
    if (capability.pool === "state") throw new Error(`the state tool ${slug} cannot be a node of a run`);
    if (isRun && this.#run.depth >= LIMITS.runDepth)
      throw new Error(`a run of ${slug} would be more than ${LIMITS.runDepth} deep`);
    const input = canonicalJson(capability.contract.parse(body));
    const pool = poolOf(capability);
    return {
      run_id: this.#run.id,
      id: newId("call"),
      slug,
      version: capability.version,
      pool,
      state: isRun ? "waiting" : "queued",
      max_attempts: LIMITS.attempts,
      timeout_ms: pool === "text" ? TEXT_TIMEOUT_MS : capability.timeoutMs,
      deadline_ms: capability.deadlineMs,
      input,
      input_sha256: sha256Hex(input),
      rules: isRun ? (await rulesOf(capability)).version : null,
    };
  }

  #failureOf(error: unknown): RunFailure {
    if (error instanceof AppError || error instanceof Refusal)
      return { code: error.code, message: error.message };
    this.#context.onUnexpected(error);
    return { code: "internal_error", message: "This step could not be begun." };
  }
}

const UNTOLD: RunFailure = { code: "internal_error", message: "This step failed." };
