import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Span, SpanKind } from "@opentelemetry/api";
import { atOnce } from "./at-once.ts";
import { beginSpan, endSpan, traceparentOf } from "../../core/observe/tracing.ts";

const HEADER = "x-request-id";
/** What a client may call its request. A key is no name: it would stand in the logs. */
const REQUEST_ID = /^(?!mf_|whsec_)[\w.:-]{1,128}$/;
/** What monitors ask all the time. */
const QUIET = new Set(["/healthz", "/readyz", "/metrics"]);

/** Who made a request and which call it is about, as far as they are known. */
type About = { accountId?: string; callId?: string };
const abouts = new WeakMap<FastifyRequest, About>();
const spans = new WeakMap<FastifyRequest, Span>();

/** The client's own id of a request, where it sent one that is fit to be told; else one of ours. */
export function requestIdOf({ headers }: Pick<IncomingMessage, "headers">): string {
  const given = headers[HEADER];
  return typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Notes for the log whose request this is, or which call it is about. */
export function noteRequest(request: FastifyRequest, about: About): void {
  abouts.set(request, { ...abouts.get(request), ...about });
}

/** Where the work for a request stands in a trace; null where nothing is traced. */
export function traceparentOfRequest(request: FastifyRequest): string | null {
  const span = spans.get(request);
  return span === undefined ? null : traceparentOf(span);
}

/**
 * One line and one span for each request, when it was answered, and its id in the answer. They name the route and not the
 * path: paths and queries may hold what is nobody's business.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook("onRequest", atOnce(begin));
  app.addHook("onResponse", atOnce(end));
}

function begin(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header(HEADER, request.id);
  if (!isQuiet(request)) spans.set(request, spanOf(request));
}

function end(request: FastifyRequest, reply: FastifyReply): void {
  request.log[isQuiet(request) ? "debug" : "info"](lineOf(request, reply), "request");
  const span = spans.get(request);
  if (span !== undefined) endSpan(span, afterwards(request, reply), reply.statusCode >= 500);
}

const isQuiet = ({ routeOptions }: FastifyRequest): boolean => QUIET.has(routeOptions.url ?? "");

/** A span below that of the client, where it sent one. */
function spanOf({ id, method, routeOptions, headers }: FastifyRequest): Span {
  const { traceparent } = headers;
  return beginSpan(`${method} ${routeOptions.url ?? "nothing"}`, {
    under: typeof traceparent === "string" ? traceparent : null,
    kind: SpanKind.SERVER,
    about: {
      "http.request.method": method,
      "http.route": routeOptions.url,
      "meshforge.request_id": id,
    },
  });
}

function afterwards(request: FastifyRequest, { statusCode }: FastifyReply) {
  const { accountId, callId } = abouts.get(request) ?? {};
  return {
    "http.response.status_code": statusCode,
    "meshforge.account_id": accountId,
    "meshforge.call_id": callId,
  };
}

const lineOf = (request: FastifyRequest, reply: FastifyReply) => ({
  method: request.method,
  route: request.routeOptions.url ?? null,
  status: reply.statusCode,
  durationMs: Math.round(reply.elapsedTime),
  ...abouts.get(request),
});
