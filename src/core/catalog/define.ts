import { z } from "zod";
import type { Db } from "../db.ts";
import type { Refusal } from "../errors.ts";
import type { MemoryPort } from "../memory/memory.ts";
import type { ModelPort, ModelTier, Tokens } from "../models/models.ts";
import type { DeclaredOffer } from "./offer.ts";

export { AppError, InputFault, Refusal } from "../errors.ts";
export { mesh, usd } from "../money.ts";

/**
 * The dedicated pools of workers. `inline` runs in the API process, in about a millisecond; what would take longer there
 * goes to `text`, which no declaration names. `state` decides in the API by rules, on documents, while it settles; `run`
 * has no worker of its own, and is made of calls in other pools.
 */
export const POOLS = [
  "inline",
  "text",
  "state",
  "run",
  "cam",
  "image",
  "brain",
  "brain-large",
  "probe",
  "forward",
  "fusion",
  "system",
] as const;
export type Pool = (typeof POOLS)[number];

export const CATEGORIES = [
  "safety",
  "memory",
  "extraction",
  "audit",
  "cognition",
  "media",
  "reasoning",
  "business",
  "commerce",
  "productivity",
  "fabrication",
  "devtools",
  "tooling",
  "personalization",
  "education",
] as const;

/** What a string field tolerates before its schema looks at it; see `input.ts` for the order. */
export type FieldRules = {
  /** Other keys that are read, in this order, when the field itself is empty. */
  readonly aliases?: readonly string[];
  /** Cut to this many code points, silently. */
  readonly truncateAt?: number;
  /** Strip white space at both ends. Default true for fields with `truncateAt`, else false. */
  readonly trim?: boolean;
};

/** Attaches `FieldRules` to a schema: `z.string().register(field, { aliases: ["text"] })`. */
export const field = z.registry<FieldRules>();

/** What a caller, and shop-grade, may expect of a run. */
export type MachineProfile = {
  readonly deterministic: boolean;
  readonly typicalMs: number;
  readonly maximumMs: number;
  /** Short names of what a run leaves behind, such as `artifact`; empty for a pure one. */
  readonly sideEffects: readonly string[];
};

/** What the folder of a capability says of it. */
export type Declaration<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = {
  /** The name of the folder, and the name in the call's path. */
  readonly slug: string;
  /** Semantic version; kept with every call. */
  readonly version: string;
  readonly name: string;
  readonly category: (typeof CATEGORIES)[number];
  /** What it does, for a catalog: plain sentences. */
  readonly summary: string;
  /** Where it is sold, and for how much; without offers it is internal. */
  readonly offers: readonly DeclaredOffer[];
  readonly pool: Pool;
  /** The tier that it cannot do without: while its server is known to be dead, calls are refused, uncharged. */
  readonly model?: ModelTier;
  /** How long one attempt may run. Default 60 s. */
  readonly timeoutMs?: number;
  /** How long a call may take in all, with waiting. Default 10 min. */
  readonly deadlineMs?: number;
  /** The largest body, in bytes. Default 1 MiB. */
  readonly maxBodyBytes?: number;
  /**
   * Of the pool `inline`: the longest input, in bytes of JSON, that is run in the API process (default 64 KiB); no
   * input of it may take more than some 10 ms there. Longer ones, and what would be too much at once, run in threads of
   * the pool `text`. `Infinity` for a handler that asks services, which no thread has, and waits more than it computes.
   */
  readonly inlineBytes?: number;
  readonly profile: MachineProfile;
  readonly input: I;
  readonly output: O;
  /** Turns the schema's faults into a refusal of its own; undefined keeps `invalid_input`. */
  readonly onInvalid?: (
    issues: readonly z.core.$ZodIssue[],
    folded: Readonly<Record<string, unknown>>,
  ) => Refusal | undefined;
  /** What a schema cannot say: throws `Refusal` (or `invalidInput`), before anything is charged. */
  readonly check?: (input: z.output<I>) => void;
};

/**
 * Declares a capability, and keeps the types of its schemas. The default export of a folder's `index.ts` is one, or a
 * list of those that share the folder's handler and vectors: the same work on several tiers.
 */
export function defineCapability<I extends z.ZodObject, O extends z.ZodType>(
  declaration: Declaration<I, O>,
): Declaration<I, O> {
  return declaration;
}

/** A stored file with a permanent address. */
export type StoredArtifact = { readonly url: string; readonly sha256: string; readonly bytes: number };

/** Keeps bytes under the hash of their content, for good. Storing the same bytes again gives the same address. */
export type ArtifactPort = {
  put(
    bytes: Uint8Array,
    about: { readonly mime: string; readonly filename: string },
  ): Promise<StoredArtifact>;
};

/**
 * The services that features bring for their own handlers. A feature adds its own to this interface, and makes them in
 * the `services.ts` of its folder.
 */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- features add to it
export interface FeatureServices {}

/** What a feature's own services are made from. */
export type FeatureGround = {
  readonly db: Db;
  /** Where the owner of a host finds out what looked at it. */
  readonly probeContactUrl: string;
};

/** Makes a feature's services; the default export of its `services.ts`. */
export type OpenFeatureServices = (ground: FeatureGround) => Partial<FeatureServices>;

/** What every handler of a process shares. */
export type HandlerServices = {
  readonly artifacts: ArtifactPort;
  readonly models: ModelPort;
  readonly memory: MemoryPort;
  /** Where the marketplace is reached from outside; no slash at the end. */
  readonly baseUrl: string;
  readonly features: FeatureServices;
};

/**
 * A change that a run leaves in the database when it succeeds. The database's function `effect_<kind>` makes it in the
 * transaction in which the call ends: exactly once however often the call was tried, and never for one that failed.
 */
export type Effect = { readonly kind: string; readonly data: Readonly<Record<string, unknown>> };

/** What a handler is given besides its input. The same wherever it runs; in a thread it has artifacts alone. */
export type HandlerContext = HandlerServices & {
  /** Which capability of its folder is run. */
  readonly capability: Pick<Declaration, "slug" | "model">;
  readonly callId: string;
  readonly accountId: string;
  /** What the caller is told of the input, in the call's envelope: fields that are not known, values not taken. */
  readonly warnings: readonly string[];
  /** Aborted on cancel, at the deadline, and when the worker has lost the call. */
  readonly signal: AbortSignal;
  /** How long the run may still take, in milliseconds. */
  readonly leftMs: () => number;
  /** Tells those who follow the call how far it is; `data` is small and public. */
  readonly progress: (data: Readonly<Record<string, unknown>>) => void;
  /** Adds what is to happen in the database when the call succeeds. */
  readonly effect: (effect: Effect) => void;
  /** Adds to the tokens of the call. */
  readonly countTokens: (tokens: Tokens) => void;
};

export type Handler<I = unknown, O = unknown> = (input: I, context: HandlerContext) => O | Promise<O>;

/**
 * Binds a handler to its declaration; the default export of `handler.ts`. It may throw `InputFault` (422) or
 * `AppError` (`upstream_failed`, `model_unavailable` ...); anything else it throws is a 500 `internal_error`.
 * In every case the call is refunded.
 */
export function defineHandler<I extends z.ZodObject, O extends z.ZodType>(
  _declaration: Declaration<I, O>,
  handler: Handler<z.output<I>, z.input<O>>,
): Handler<z.output<I>, z.input<O>> {
  return handler;
}
