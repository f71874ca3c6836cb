import type { z } from "zod";
import type { Declaration, Effect } from "../catalog/define.ts";
import type { InputFault, Refusal } from "../errors.ts";
import type { Random } from "../seeded-random.ts";

/** The address of a document: what it is, and which one. */
export type DocumentRef = { readonly kind: string; readonly key: string };

/** A document as the rules see it: whose it is, and what it holds. Its body is JSON. */
export type Document<B = unknown> = { readonly accountId: string; readonly body: B };

/** The documents that a call asked for, under the names it asked by; null where there is none. */
export type Documents<D> = { readonly [N in keyof D]: Document<D[N]> | null };

/** What the rules may know besides documents and input. The same for the same attempt: nothing else may decide. */
export type StateContext = {
  readonly callId: string;
  readonly accountId: string;
  /** The database's clock, as of the reading of the documents. */
  readonly now: Date;
  /** Seeded by the call's id: the same numbers however often the call is decided. */
  readonly random: Random;
};

/** What a call leads to. */
export type Decision<O, D> = {
  readonly output: O;
  /** The new bodies of documents, by name; null removes one. What is left out, or stays the same, is not written. */
  readonly writes?: { readonly [N in keyof D]?: D[N] | null };
  /** Changes in tables of their own, for what is searched or ranked; made in the same commit. */
  readonly effects?: readonly Effect[];
};

/**
 * A tool that changes something small and shared by rules. `D` says by which names it calls its documents, and what
 * their bodies are.
 */
export type StateTool<I = unknown, O = unknown, D extends object = Readonly<Record<string, unknown>>> = {
  /** Which documents a call needs, told from its input and its caller alone. */
  documents(input: I, caller: { readonly accountId: string }): { readonly [N in keyof D]: DocumentRef };
  /**
   * Decides a call: pure and synchronous, no I/O, and nothing that it is given is changed. It may be asked again for
   * the same call, about what the documents hold then. A `Refusal` costs nothing and leaves no call; with an
   * `InputFault` the call fails, and is refunded.
   */
  decide(documents: Documents<D>, input: I, context: StateContext): Decision<O, D> | Refusal | InputFault;
};

/** Binds rules to their declaration; the default export of `decide.ts`, in the room of a capability of pool `state`. */
export function defineStateTool<D extends object, I extends z.ZodObject, O extends z.ZodType>(
  _declaration: Declaration<I, O>,
  tool: StateTool<z.output<I>, z.input<O>, D>,
): StateTool<z.output<I>, z.input<O>, D> {
  return tool;
}
