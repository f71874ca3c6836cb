import { nearest } from "./nearest.ts";

/**
 * Codes that the platform itself answers with. What a code means over HTTP stands in `http/errors.ts` alone.
 * A capability's own codes travel in `Refusal` (before the charge) and `InputFault` (after it).
 */
export type ErrorCode =
  | "unauthorized"
  | "forbidden"
  | "key_restricted"
  | "not_found"
  | "method_not_allowed"
  | "unsupported_media_type"
  | "payload_too_large"
  | "unknown_capability"
  | "vip_required"
  | "quarantined"
  | "invalid_input"
  | "webhook_secret_missing"
  | "price_above_max"
  | "spend_limit_reached"
  | "insufficient_funds"
  | "precondition_failed"
  | "range_not_satisfiable"
  | "queue_full"
  | "too_many_streams"
  | "rate_limited"
  | "handle_taken"
  | "idempotency_mismatch"
  | "already_ended"
  | "cancelled"
  | "model_unavailable"
  | "upstream_failed"
  | "model_output_invalid"
  | "deadline_exceeded"
  | "attempts_exhausted"
  | "internal_error"
  | "overloaded"
  | "unavailable";

/** An error that a caller may see: a stable code, a sentence, and the further fields of the answer. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.details = details;
  }
}

/** 404 `unknown_capability`, with the names that come nearest: `names` are all that there are. */
export function unknownCapability(name: string, names: Iterable<string>): AppError {
  const near = nearest(name, names, NEAREST);
  const hint = near.length === 0 ? "" : ` Did you mean ${near.map((one) => `\`${one}\``).join(" or ")}?`;
  const details = near.length === 0 ? {} : { did_you_mean: near };
  return new AppError(
    "unknown_capability",
    `There is no capability ${JSON.stringify(name)}.${hint}`,
    details,
  );
}

const NEAREST = 3;

/** Whether an error says that what was asked is away, and nothing of what it was asked. */
export const isOutage = (error: unknown): boolean =>
  error instanceof AppError && error.code === "unavailable";

/** One fault of an input: where (dotted path, empty for the whole) and what. */
export type Issue = { readonly path: string; readonly message: string };

/** 400 `invalid_input`, with every fault that was found. */
export function invalidInput(issues: readonly Issue[]): AppError {
  const first = issues[0];
  const message = first === undefined ? "The input is invalid." : describe(first);
  return new AppError("invalid_input", message, { issues });
}

/** The sentence of a fault; one that is no sentence is a predicate of its field. */
function describe({ path, message }: Issue): string {
  const isPredicate = /^[a-z]/.test(message);
  if (path === "") return isPredicate ? `The input ${message}.` : message;
  return isPredicate ? `\`${path}\` ${message}.` : `\`${path}\`: ${message}`;
}

/** Why an input is refused: it is invalid, it names what is not there, or it contradicts what is. */
export type RefusalReason = "invalid" | "unknown" | "conflict";

/**
 * A capability refuses an input before anything is charged: 400, 404 or 409 by its reason, with a code of the
 * capability's own. `message: null` answers with the code and the details alone.
 */
export class Refusal extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly bare: boolean;
  readonly reason: RefusalReason;

  constructor(
    code: string,
    message: string | null,
    details: Readonly<Record<string, unknown>> = {},
    reason: RefusalReason = "invalid",
  ) {
    super(message ?? code);
    this.name = "Refusal";
    this.code = code;
    this.details = details;
    this.bare = message === null;
    this.reason = reason;
  }
}

/** The refusal of an input that names what is not there. */
export const unknownThing = (code: string, message: string): Refusal =>
  new Refusal(code, message, {}, "unknown");

/** The refusal of an input that contradicts what is there. */
export const contradiction = (code: string, message: string): Refusal =>
  new Refusal(code, message, {}, "conflict");

/**
 * A handler finds that the input itself makes the call fail: 422 with a code of the capability's own, refunded,
 * and not held against the capability's reliability.
 */
export class InputFault extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "InputFault";
    this.code = code;
  }
}

/** An error that a caller may see, as it crosses from one thread to another, which takes away what makes it one. */
export type PlainFault = {
  readonly kind: "error" | "refusal";
  readonly code: string;
  readonly message: string | null;
  readonly details: Readonly<Record<string, unknown>>;
};

/** The plain form of an error that a caller may see; undefined for any other. */
export function plainFault(error: unknown): PlainFault | undefined {
  if (error instanceof Refusal) {
    const { code, message, details, bare } = error;
    return { kind: "refusal", code, message: bare ? null : message, details };
  }
  if (!(error instanceof AppError)) return undefined;
  const { code, message, details } = error;
  return { kind: "error", code, message, details };
}

/** The error that was made plain. */
export function faultOf({ kind, code, message, details }: PlainFault): AppError | Refusal {
  return kind === "refusal"
    ? new Refusal(code, message, details)
    : new AppError(code as ErrorCode, message ?? code, details);
}

const RETRY_OVERLOADED_S = 1;

/** 503 `overloaded`, with when to try again: this process has as much of this as it can take. */
export const overloaded = (message: string): AppError =>
  new AppError("overloaded", `${message} Try again in a moment; this request was not charged.`, {
    retry_after_s: RETRY_OVERLOADED_S,
  });
