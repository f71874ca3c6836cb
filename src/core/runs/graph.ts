import { canonicalJson } from "../canonical.ts";
import { LIMITS } from "../limits.ts";
import type { Random } from "../seeded-random.ts";
import { boundNodes } from "./binding.ts";
import type {
  EndedNode,
  NodeSpec,
  NodeState,
  RunDecision,
  RunEvent,
  RunFailure,
  RunRules,
} from "./run-rules.ts";

/** A node as it is stored. */
export type RunNode = {
  readonly name: string;
  readonly slug: string;
  readonly needs: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
  readonly onFailure: "end" | "skip";
  readonly state: NodeState;
  readonly callId: string | null;
  readonly error: RunFailure | null;
};

/** How a run ends. */
export type RunEnd =
  | { readonly state: "succeeded"; readonly output: unknown }
  | { readonly state: "failed" | "cancelled" | "expired"; readonly failure: RunFailure };

/** A run between two questions to its rules. */
export type RunState = {
  readonly callId: string;
  readonly accountId: string;
  readonly input: unknown;
  readonly document: unknown;
  readonly beganWith: number;
  readonly nodes: ReadonlyMap<string, RunNode>;
  readonly events: readonly RunEvent[];
  readonly end: RunEnd | null;
};

/** What has become of a node's call. `callId` is not compared: the name tells. */
export type NodeEnd = {
  readonly name: string;
  readonly state: "succeeded" | "failed" | "cancelled";
  readonly output?: unknown;
  readonly error: RunFailure | null;
};

/** What is not the run's own. */
export type StepContext = {
  readonly rules: RunRules;
  readonly now: Date;
  readonly random: Random;
  /** A mistake of the rules; the run fails, without the words. */
  readonly onUnexpected: (error: unknown) => void;
};

const OPEN = new Set<NodeState>(["waiting", "started"]);
const LOST = new Set<NodeState>(["failed", "skipped", "cancelled"]);

export const isOpen = ({ state }: Pick<RunNode, "state">): boolean => OPEN.has(state);

/**
 * Takes a run on: notes what ended, and asks the rules until nothing changes any more. Pure. What is ready to start
 * then is told by `readyNodes`.
 */
export function step(run: RunState, ended: readonly NodeEnd[], context: StepContext): RunState {
  if (run.end !== null) return withEnds(run, ended);
  let state = withEnds(run, ended);
  let news: readonly EndedNode[] = ended.flatMap((end) => {
    const node = state.nodes.get(end.name);
    return node === undefined
      ? []
      : [{ ...viewOf(node), ...("output" in end ? { output: end.output } : {}) }];
  });
  try {
    for (let asked = 0; ; asked++) {
      if (asked > LIMITS.runDecisions) throw new Error("the rules of this run come to no rest");
      const before = state;
      state = applied(state, ask(state, news, context), context.rules.maxNodes);
      if (state.end !== null) return closed(state);
      state = withSkipped(state);
      if (state.nodes === before.nodes) break;
      news = [];
    }
  } catch (error) {
    context.onUnexpected(error);
    return closed({ ...state, end: MISTAKE });
  }
  return closed({ ...state, end: endOf(state) });
}

const MISTAKE = {
  state: "failed",
  failure: {
    code: "internal_error",
    message: "The capability failed for a reason of its own.",
  },
} as const satisfies RunEnd;

/** Ends a run from outside. */
export const interrupted = (run: RunState, end: RunEnd): RunState => closed({ ...run, end });

/** The nodes that may start now: what they need has succeeded, and there is room for them. */
export function readyNodes({ nodes, end }: RunState): RunNode[] {
  if (end !== null) return [];
  const all = [...nodes.values()];
  const room = LIMITS.runNodesInFlight - all.filter(({ state }) => state === "started").length;
  const ready = all.filter(
    ({ state, needs }) =>
      state === "waiting" && needs.every((need) => nodes.get(need)?.state === "succeeded"),
  );
  return ready.slice(0, Math.max(0, room));
}

/** The run with these nodes on their way. */
export const withStarted = (run: RunState, calls: ReadonlyMap<string, string>): RunState => ({
  ...run,
  nodes: changed(run.nodes, (node) => {
    const callId = calls.get(node.name);
    return callId === undefined ? node : { ...node, state: "started", callId };
  }),
});

function ask(state: RunState, ended: readonly EndedNode[], { rules, now, random }: StepContext) {
  const { callId, accountId, input, document, beganWith } = state;
  const nodes = new Map([...state.nodes].map(([name, node]) => [name, viewOf(node)]));
  return rules.decide({ callId, accountId, input, document, beganWith, nodes, ended, now, random });
}

const viewOf = ({ name, slug, needs, state, error }: RunNode) => ({ name, slug, needs, state, error });

function applied(state: RunState, decision: RunDecision<unknown, unknown>, maxNodes: number): RunState {
  const { document = state.document, add = [], cancel = [], events = [], end } = decision;
  const nodes = new Map(state.nodes);
  for (const spec of add) nodes.set(spec.name, added(spec, nodes));
  if (nodes.size > Math.min(maxNodes, LIMITS.runNodes))
    throw new Error(`a run of ${nodes.size} nodes is more than its kind may have`);
  for (const name of cancel) {
    const node = nodes.get(name);
    if (node === undefined) throw new Error(`there is no node ${name} to cancel`);
    if (isOpen(node)) nodes.set(name, { ...node, state: "cancelled" });
  }
  if (decision.document !== undefined) checkSize("document", document, LIMITS.runDocumentBytes);
  for (const event of events) checkEvent(event);
  const isSame = add.length === 0 && [...nodes].every(([name, node]) => state.nodes.get(name) === node);
  return {
    ...state,
    document,
    nodes: isSame ? state.nodes : nodes,
    events: [...state.events, ...events],
    end:
      end === undefined
        ? null
        : "failure" in end
          ? { state: "failed", ...end }
          : { state: "succeeded", ...end },
  };
}

const EVENT_TYPE = /^[a-z][a-z_]{0,39}$/;
/** What the platform itself tells of a call. */
const RESERVED_TYPES = new Set(["status", "completed", "failed"]);

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** A new node; what it needs is judged with all the others. Throws for one that can never start. */
function added(spec: NodeSpec, nodes: ReadonlyMap<string, RunNode>): RunNode {
  const { name, slug, needs = [], input, onFailure = "end" } = spec;
  if (!NAME.test(name)) throw new Error(`${JSON.stringify(name)} is no name of a node`);
  if (nodes.has(name)) throw new Error(`there is a node ${name} already`);
  const stranger = needs.find((need) => !nodes.has(need));
  if (stranger !== undefined) throw new Error(`the node ${name} needs ${stranger}, which is not there`);
  const unneeded = boundNodes(input).find((from) => !needs.includes(from));
  if (unneeded !== undefined)
    throw new Error(`the node ${name} takes from ${unneeded}, which it does not need`);
  checkSize("input of a node", input, LIMITS.runDocumentBytes);
  return { name, slug, needs, input, onFailure, state: "waiting", callId: null, error: null };
}

function checkEvent({ type, data }: RunEvent): void {
  if (!EVENT_TYPE.test(type) || RESERVED_TYPES.has(type))
    throw new Error(`no event of a run can be called ${type}`);
  checkSize("event", data, LIMITS.progressBytes);
}

function checkSize(what: string, value: unknown, bytes: number): void {
  if (Buffer.byteLength(canonicalJson(value)) > bytes)
    throw new Error(`a ${what} of more than ${bytes} bytes`);
}

function withEnds(run: RunState, ended: readonly NodeEnd[]): RunState {
  if (ended.length === 0) return run;
  const ends = new Map(ended.map((end) => [end.name, end]));
  const nodes = changed(run.nodes, (node) => {
    const end = ends.get(node.name);
    return end === undefined || !isOpen(node) ? node : { ...node, state: end.state, error: end.error };
  });
  return { ...run, nodes };
}

/** What needs a node that was lost is lost as well; nodes stand in the order in which they may depend on one another. */
function withSkipped(run: RunState): RunState {
  const nodes = new Map(run.nodes);
  for (const node of run.nodes.values()) {
    const lost = node.needs.some((need) => LOST.has(nodes.get(need)?.state ?? "failed"));
    if (node.state === "waiting" && lost) nodes.set(node.name, { ...node, state: "skipped" });
  }
  const isSame = [...nodes].every(([name, node]) => run.nodes.get(name) === node);
  return isSame ? run : { ...run, nodes };
}

/** The end that follows from the nodes, where the rules gave none. */
function endOf({ nodes }: RunState): RunEnd | null {
  const all = [...nodes.values()];
  const failed = all.find(({ state, onFailure }) => state === "failed" && onFailure === "end");
  if (failed !== undefined) return { state: "failed", failure: failureOf(failed) };
  return all.some(isOpen) ? null : MISTAKE;
}

/** What a node was refused for before it began is the rules' mistake, and not the caller's, who gave them no such input. */
const REFUSED_BEFORE = new Set(["invalid_input", "unknown_capability"]);

function failureOf({ name, error }: RunNode): RunFailure {
  if (error === null) return MISTAKE.failure;
  if (!REFUSED_BEFORE.has(error.code)) return error;
  return {
    code: "internal_error",
    message: `The step ${name} could not be made (${error.message}).`,
  };
}

/** With the end of a run, all that is open of it is taken back. */
const closed = (run: RunState): RunState =>
  run.end === null
    ? run
    : {
        ...run,
        nodes: changed(run.nodes, (node) => (isOpen(node) ? { ...node, state: "cancelled" } : node)),
      };

const changed = (
  nodes: ReadonlyMap<string, RunNode>,
  change: (node: RunNode) => RunNode,
): ReadonlyMap<string, RunNode> => new Map([...nodes].map(([name, node]) => [name, change(node)]));
