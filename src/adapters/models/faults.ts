import { APIConnectionTimeoutError, APIError, APIUserAbortError, OpenAIError } from "openai";
import { ModelFault, type ModelFaultKind } from "../../core/models/client.ts";

/** Statuses that hold for every request of ours: a key, a path, a model's name, a bill. */
const UNUSABLE = new Set([401, 402, 404, 405]);
/** Statuses of a moment, besides all from 500. */
const PASSING = new Set([408, 425]);
const TOO_MANY = 429;
/** What OpenAI says with a 429 that does not pass by waiting: the type of all, and their codes. */
const QUOTA = new Set([
  "insufficient_quota",
  "credit_balance_exhausted",
  "organization_spend_limit_exceeded",
  "project_spend_limit_exceeded",
  "organization_usage_limit_exceeded",
]);

/** What an error of the client, or of reading an answer, means. Nothing of its words is kept. Throws what is a mistake of ours. */
export function faultOf(error: unknown, signal: AbortSignal): ModelFault {
  if (error instanceof ModelFault) return error;
  if (signal.aborted || error instanceof APIUserAbortError) return new ModelFault("aborted");
  if (error instanceof APIConnectionTimeoutError) return new ModelFault("slow");
  if (error instanceof APIError && typeof error.status === "number") {
    const { status, type, code, headers } = error as APIError<number>;
    return new ModelFault(kindOf(status, [type, code]), { status, retryAfterMs: retryAfterOf(headers) });
  }
  // The client took our own use of it for wrong.
  if (error instanceof OpenAIError && !(error instanceof APIError)) throw error;
  // A body that came whole and is no JSON; everything else is a connection that was not made, or broke.
  return new ModelFault(error instanceof SyntaxError ? "garbled" : "failing");
}

function kindOf(status: number, words: readonly unknown[]): ModelFaultKind {
  if (status === TOO_MANY) return words.some((word) => QUOTA.has(String(word))) ? "unusable" : "busy";
  if (status < 400 || UNUSABLE.has(status)) return "unusable";
  return status >= 500 || PASSING.has(status) ? "failing" : "refused";
}

/** `Retry-After` in milliseconds (RFC 9110, 10.2.3: seconds or a date), or the finer `retry-after-ms` of OpenAI. */
function retryAfterOf(headers: Headers | undefined): number | null {
  const fine = headers?.get("retry-after-ms") ?? null;
  if (fine !== null && /^\d+(\.\d+)?$/.test(fine)) return Number(fine);
  const text = headers?.get("retry-after") ?? null;
  if (text === null) return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
