import type { FastifyInstance, FastifyRequest } from "fastify";
import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError, invalidInput } from "../../core/errors.ts";
import { atOnce } from "./at-once.ts";
import { BARE_HEADERS, refuseTunnel } from "./connection-errors.ts";

const EXPECTATION_FAILED = 417;
/** Headers of which a request has one or none; Node keeps the first of some, and joins others to what nobody sent. */
const SINGLE = [
  "idempotency-key",
  "max-price",
  "last-event-id",
  "content-type",
  "content-encoding",
  "origin",
];

/**
 * Refuses requests that are none by RFC 9110 and 9112, or that can be read in two ways, in the shape of every other error:
 * Node would answer some of them with nothing but a status.
 */
export function refuseMalformed(app: FastifyInstance): void {
  app.server.on("checkExpectation", refuseExpectation);
  app.server.on("connect", refuseTunnel);
  app.addHook(
    "onRequest",
    atOnce(({ raw }) => checkHost(raw)),
  );
  app.addHook("preParsing", (request, _reply, payload, done) => {
    checkSingle(request);
    checkEncoding(request);
    done(null, payload);
  });
}

/** RFC 9112, 3.2. */
function checkHost(request: IncomingMessage): void {
  const times = timesGiven(request, "host");
  if (times === 1 || (times === 0 && request.httpVersion === "1.0")) return;
  throw invalidInput([{ path: "Host", message: "must be given once" }]);
}

function checkSingle({ raw }: FastifyRequest): void {
  const twice = SINGLE.filter((name) => timesGiven(raw, name) > 1);
  if (twice.length === 0) return;
  throw invalidInput(twice.map((name) => ({ path: inTitleCase(name), message: "must be given once" })));
}

/** How many lines of a request's head have this name; the names are counted only where there may be more than one. */
export function timesGiven({ rawHeaders, headers }: IncomingMessage, name: string): number {
  if (headers[name] === undefined) return 0;
  if (rawHeaders.length === 2 * Object.keys(headers).length) return 1;
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}

const inTitleCase = (name: string): string => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** Read as it stands, a packed body would be refused for what it is not. */
function checkEncoding({ method, headers }: FastifyRequest): void {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity" || method === "GET" || method === "HEAD") return;
  throw new AppError("unsupported_media_type", "Send the body as it is, without Content-Encoding.");
}

/** An expectation other than `100-continue` (RFC 9110, 10.1.1). */
function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const message = "This service meets no expectation but 100-continue.";
  const body = Buffer.from(JSON.stringify({ error: "expectation_failed", message }));
  const headers = {
    ...BARE_HEADERS,
    "content-type": "application/json; charset=utf-8",
    "content-length": body.length,
    connection: "close",
  };
  response.writeHead(EXPECTATION_FAILED, headers).end(body);
}
