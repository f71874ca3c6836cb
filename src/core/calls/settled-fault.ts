import { AppError } from "../errors.ts";

/** What is true of the money of every call that was settled, whatever has become of it. */
export const madeOf = (callId: string): string =>
  `The call ${callId} was made and is charged, or refunded where it does not succeed: look at it with GET /api/calls/${callId}.`;

/**
 * The error for a fault after a call was settled, which must not look like a refusal: it names the call, and says what is
 * true of its money. `what` says what could not be done.
 */
export function settledFault(error: unknown, callId: string, what: string): AppError {
  if (error instanceof AppError && "call_id" in error.details) return error;
  const isAway = error instanceof AppError && error.code === "unavailable";
  const why = isAway ? "for now" : "because of a fault of this service";
  const fault = new AppError(isAway ? "unavailable" : "internal_error", `${what} ${why}. ${madeOf(callId)}`, {
    call_id: callId,
  });
  fault.cause = error;
  return fault;
}
