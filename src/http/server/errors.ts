import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError, type ErrorCode, type Issue, Refusal, type RefusalReason } from "../../core/errors.ts";

/** The one table of what an error code means over HTTP; a code without a status does not compile. */
const STATUS = {
  unauthorized: 401,
  forbidden: 403,
  key_restricted: 403,
  not_found: 404,
  method_not_allowed: 405,
  unsupported_media_type: 415,
  payload_too_large: 413,
  unknown_capability: 404,
  vip_required: 403,
  quarantined: 503,
  invalid_input: 400,
  webhook_secret_missing: 400,
  price_above_max: 402,
  spend_limit_reached: 402,
  insufficient_funds: 402,
  precondition_failed: 412,
  range_not_satisfiable: 416,
  queue_full: 429,
  too_many_streams: 429,
  rate_limited: 429,
  handle_taken: 409,
  idempotency_mismatch: 422,
  already_ended: 409,
  cancelled: 409,
  model_unavailable: 503,
  upstream_failed: 502,
  model_output_invalid: 502,
  deadline_exceeded: 504,
  attempts_exhausted: 500,
  internal_error: 500,
  overloaded: 503,
  unavailable: 503,
} as const satisfies Record<ErrorCode, number>;

const REFUSED = { invalid: 400, unknown: 404, conflict: 409 } as const satisfies Record<
  RefusalReason,
  number
>;
const INPUT_FAULT = 422;
/** When to try again for what is free again as soon as something has ended, or there again as soon as it is back. */
const RETRY_S = new Map<ErrorCode, number>([
  ["queue_full", 1],
  ["too_many_streams", 5],
  ["unavailable", 1],
]);

/** The status of a call that ended badly. A capability's own code is one for a fault of the input. */
export function statusOfFailure(code: string | null, inputFault: boolean): number {
  if (inputFault) return INPUT_FAULT;
  return Object.hasOwn(STATUS, code ?? "") ? STATUS[code as ErrorCode] : STATUS.internal_error;
}

/** Answers every error in the documented shape. What is not meant for a caller is logged and called internal. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refusal) {
    const body = error.bare ? { error: error.code } : { error: error.code, message: error.message };
    return reply.code(REFUSED[error.reason]).send({ ...body, ...error.details });
  }
  if (error instanceof AppError) return sendAppError(error, request, reply);
  const known = fromFastify(error);
  if (known !== undefined) return sendAppError(known, request, reply);
  request.log.error({ err: error }, "unexpected");
  return reply.code(STATUS.internal_error).send({
    error: "internal_error",
    message:
      "Something went wrong on our side. Whoever runs this service finds it by the X-Request-Id of this answer.",
  });
}

function sendAppError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.code === "unauthorized") void reply.header("www-authenticate", 'Bearer realm="meshforge"');
  const retryAfterS = error.details["retry_after_s"] ?? RETRY_S.get(error.code);
  if (typeof retryAfterS === "number") void reply.header("retry-after", String(retryAfterS));
  if (error.code === "unavailable") request.log.warn({ err: error }, "unavailable");
  if (error.code === "internal_error") request.log.error({ err: error }, "unexpected");
  return reply.code(STATUS[error.code]).send({ error: error.code, message: error.message, ...error.details });
}

/** What fastify itself refuses, in our words. */
function fromFastify(error: unknown): AppError | undefined {
  const code = (error as { code?: unknown }).code;
  const status = (error as { statusCode?: unknown }).statusCode;
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new AppError("payload_too_large", "The body is larger than this endpoint takes.");
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new AppError("unsupported_media_type", "Send the body as application/json.");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return invalid("The body is not as long as Content-Length says.");
    case "FST_ERR_ASYNC_CONSTRAINT":
    case "FST_ERR_BAD_URL":
      return invalid("The path is not a valid URL.");
    case "FST_ERR_MAX_PARAM_LENGTH":
      return new AppError(
        "not_found",
        "There is nothing at this path: a part of it is too long to be a name.",
      );
    default:
      return isCallersFault(status) ? invalid("The request is malformed.") : undefined;
  }
}

const isCallersFault = (status: unknown): boolean =>
  typeof status === "number" && status >= 400 && status < 500;

function invalid(message: string): AppError {
  const issues: Issue[] = [{ path: "", message }];
  return new AppError("invalid_input", message, { issues });
}
