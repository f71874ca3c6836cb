import type { z } from "zod";
import type { Declaration } from "../catalog/define.ts";
import type { Random } from "../seeded-random.ts";

/** Where a node is. `started`: its call is made, and waits or runs. The four last ones are final. */
export type NodeState = "waiting" | "started" | "succeeded" | "failed" | "skipped" | "cancelled";

/** A node that the rules add to a run: one call of a capability. */
export type NodeSpec = {
  /** How the rules call it; unique in its run. Small letters, digits and hyphens. */
  readonly name: string;
  /** The capability that it calls. */
  readonly slug: string;
  /** The nodes that have to succeed first. They are in the run already, or come before it in the same list. */
  readonly needs?: readonly string[];
  /**
   * The call's input, as JSON. An object `fromNode(name, path)` in it stands for a value of the output of a node that
   * this one needs.
   */
  readonly input: Readonly<Record<string, unknown>>;
  /** Whether the run ends when this node fails (the default), or only what needs it is skipped. */
  readonly onFailure?: "end" | "skip";
};

/** A node as the rules see it. */
export type NodeView = {
  readonly name: string;
  readonly slug: string;
  readonly needs: readonly string[];
  readonly state: NodeState;
  /** Why it failed. */
  readonly error: RunFailure | null;
};

/** A node that ended since the rules were asked last, with what it gave. */
export type EndedNode = NodeView & { readonly output?: unknown };

export type RunFailure = { readonly code: string; readonly message: string };

/** What the rules decide on. */
export type RunView<I, D> = {
  readonly callId: string;
  readonly accountId: string;
  readonly input: I;
  /** What the rules keep of the run; null when they are asked first. */
  readonly document: D | null;
  /** The version of the rules with which the run began. */
  readonly beganWith: number;
  readonly nodes: ReadonlyMap<string, NodeView>;
  readonly ended: readonly EndedNode[];
  /** The database's clock. */
  readonly now: Date;
  /** Seeded by the run and how often it has advanced. */
  readonly random: Random;
};

/** Something that those who follow the run are told; `data` is small and public. */
export type RunEvent = { readonly type: string; readonly data: Readonly<Record<string, unknown>> };

/** What the rules decide. What is left out stays as it is. */
export type RunDecision<O, D> = {
  readonly document?: D;
  readonly add?: readonly NodeSpec[];
  /** Names of nodes that nobody needs any more. */
  readonly cancel?: readonly string[];
  readonly events?: readonly RunEvent[];
  /** Ends the run; what is open of it is taken back. */
  readonly end?: { readonly output: O } | { readonly failure: RunFailure };
};

/**
 * How a run of a capability goes: which nodes it has, what is told of it, and how it ends. `decide` is pure and
 * synchronous. It is asked when the run begins, and whenever nodes have ended; it may be asked again about the same,
 * when somebody else was quicker. Nodes start by themselves as soon as what they need has succeeded.
 */
export type RunRules<I = unknown, O = unknown, D = unknown> = {
  /** Goes up when the rules read documents of another form; they go on reading those of the version before. */
  readonly version: number;
  /** How many nodes a run of this kind may have; at most the platform's own limit. */
  readonly maxNodes: number;
  decide(run: RunView<I, D>): RunDecision<O, D>;
};

/** Binds rules to their declaration; the default export of `run.ts`, in the room of a capability of pool `run`. */
export function defineRun<D, I extends z.ZodObject, O extends z.ZodType>(
  _declaration: Declaration<I, O>,
  rules: RunRules<z.output<I>, z.input<O>, D>,
): RunRules<z.output<I>, z.input<O>, D> {
  return rules;
}
