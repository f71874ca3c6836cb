import cors from "@fastify/cors";
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { IncomingMessage } from "node:http";
import helmet from "helmet";
import { AppError, invalidInput } from "../../core/errors.ts";
import { LIMITS } from "../../core/limits.ts";
import { withPatience } from "../../core/patience.ts";
import { atOnce } from "./at-once.ts";
import type { Bodies } from "./bodies.ts";
import { answerClientError, BARE_HEADERS } from "./connection-errors.ts";
import { sendError } from "./errors.ts";
import { addEtags } from "./etag.ts";
import { lingerForBodies } from "./linger.ts";
import { allowedMethods } from "./methods.ts";
import { addRemarks } from "./remarks.ts";
import { logRequests, requestIdOf } from "./request-log.ts";
import { validateRoutes } from "./validation.ts";
import { watchUnusedConnections } from "./unused-connections.ts";
import { refuseMalformed } from "./well-formed.ts";

/** Time for a request to arrive whole. */
const REQUEST_TIMEOUT_MS = 30_000;
/** A socket on which nothing happens; waits are shorter, and streams send a heartbeat. */
const IDLE_TIMEOUT_MS = LIMITS.maxWaitMs + 30_000;

const READS = new Set(["GET", "HEAD"]);

/** Who connects is believed, and nobody behind: what stands further left in X-Forwarded-For is the client's own word. */
const isNearestProxy = (_address: string, hop: number): boolean => hop === 0;
const CORS_METHODS = ["GET", "HEAD", "POST", "PATCH", "DELETE"];
/** What a page of another origin may read besides the body. */
const CORS_HEADERS = [
  "Location",
  "Retry-After",
  "ETag",
  "Idempotent-Replayed",
  "Preference-Applied",
  "Allow",
  "WWW-Authenticate",
  "X-Request-Id",
  "Content-Range",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
];

/** No text with a NUL can be stored, so none can be looked for. */
function refuseNul(url: string): void {
  if (!url.includes("%00")) return;
  throw invalidInput([{ path: "", message: "NUL characters are not allowed in the URL." }]);
}

/** What is the same on every surface: parsing, limits, errors, security headers, health. */
export async function createApp(options: {
  readonly logger: FastifyBaseLogger;
  readonly trustProxy: boolean;
  readonly bodies: Bodies;
  /** Whether pages of other origins may ask. Default true. */
  readonly cors?: boolean;
}): Promise<FastifyInstance> {
  const app: FastifyInstance = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    genReqId: requestIdOf,
    trustProxy: options.trustProxy && isNearestProxy,
    bodyLimit: LIMITS.bodyBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_TIMEOUT_MS,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    routerOptions: { maxParamLength: 256 },
    // What has no Host is refused by a hook, in words.
    http: { requireHostHeader: false },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply.headers(BARE_HEADERS)),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    async (request: FastifyRequest, payload: IncomingMessage): Promise<unknown> =>
      // What goes nowhere is not read: that there is nothing comes before what is wrong with the body.
      request.is404 ? undefined : await options.bodies.read(request, payload),
  );
  // Answers are written as they are: their schemas describe only.
  addRemarks(app);
  validateRoutes(app);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  const methodsOf = allowedMethods(app);
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(request.url);
    if (allowed.length === 0 || allowed.includes(request.method))
      throw new AppError("not_found", `There is nothing at ${request.url.split("?")[0]}.`);
    void reply.header("allow", allowed.join(", "));
    throw new AppError(
      "method_not_allowed",
      `${request.method} is not allowed here; ${allowed.join(", ")} is.`,
    );
  });
  // Answers are data; the pages there are say themselves what they may load.
  const directives = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };
  const addSecurityHeaders = helmet({ contentSecurityPolicy: { useDefaults: false, directives } });
  app.addHook("onRequest", (request, reply, done) =>
    addSecurityHeaders(request.raw, reply.raw, (error) => done(error as Error | undefined)),
  );
  app.addHook("onRequest", (request, _reply, done) =>
    READS.has(request.method) ? withPatience(LIMITS.readPatienceMs, done) : done(),
  );
  logRequests(app);
  refuseMalformed(app);
  lingerForBodies(app, (payload, bytes) => options.bodies.noteDropped(payload, bytes));
  if (options.cors !== false)
    await app.register(cors, {
      origin: "*",
      methods: CORS_METHODS,
      exposedHeaders: CORS_HEADERS,
      strictPreflight: false,
    });
  addEtags(app);
  app.addHook(
    "preValidation",
    atOnce(({ url }) => refuseNul(url)),
  );
  closeUnusedConnections(app);
  app.get("/healthz", { schema: { summary: "Whether the process answers", security: [] } }, () => ({
    ok: true,
  }));
  return app;
}

function closeUnusedConnections(app: FastifyInstance): void {
  const endUnused = watchUnusedConnections(app.server);
  let stop: (() => void) | undefined;
  app.addHook("preClose", async () => {
    stop = endUnused();
  });
  app.addHook("onClose", async () => stop?.());
}
