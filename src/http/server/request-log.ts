import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { IncomingMessage } from "node:http";
import { v7 } from "uuid";

const HEADER = "x-request-id";
/** What a client may call its request. A key is no name: it would stand in the logs. */
const REQUEST_ID = /^(?!mf_|whsec_)[\w.:-]{1,128}$/;
/** What monitors ask all the time. */
const QUIET = new Set(["/healthz", "/readyz", "/metrics"]);

/** Who made a request and which call it is about, as far as they are known. */
type About = { accountId?: string; callId?: string };
const abouts = new WeakMap<FastifyRequest, About>();

/** The client's own id of a request, where it sent one that is fit to be told; else one of ours. */
export function requestIdOf({ headers }: Pick<IncomingMessage, "headers">): string {
  const given = headers[HEADER];
  return typeof given === "string" && REQUEST_ID.test(given) ? given : v7();
}

/** Notes for the log whose request this is, or which call it is about. */
export function noteRequest(request: FastifyRequest, about: About): void {
  abouts.set(request, { ...abouts.get(request), ...about });
}

/**
 * One line for each request, when it was answered, and its id in the answer. The line names the route and not the path:
 * paths and queries may hold what is nobody's business.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => void reply.header(HEADER, request.id));
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url;
    const level = route !== undefined && QUIET.has(route) ? "debug" : "info";
    request.log[level](lineOf(request, reply), "request");
  });
}

const lineOf = (request: FastifyRequest, reply: FastifyReply) => ({
  method: request.method,
  route: request.routeOptions.url ?? null,
  status: reply.statusCode,
  durationMs: Math.round(reply.elapsedTime),
  ...abouts.get(request),
});
