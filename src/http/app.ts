import cors from "@fastify/cors";
import etag from "@fastify/etag";
import helmet from "@fastify/helmet";
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { AppError } from "../core/errors.ts";
import { LIMITS } from "../core/limits.ts";
import { sendError } from "./errors.ts";
import { parseJsonBody } from "./json-body.ts";
import { allowedMethods } from "./methods.ts";

/** Time for a request to arrive whole. */
const REQUEST_TIMEOUT_MS = 30_000;
/** A socket on which nothing happens; waits are shorter, and streams send a heartbeat. */
const IDLE_TIMEOUT_MS = LIMITS.maxWaitMs + 30_000;

/** What is the same on every surface: parsing, limits, errors, security headers, health. */
export async function createApp(options: {
  readonly logger: FastifyBaseLogger;
  readonly trustProxy: boolean;
}): Promise<FastifyInstance> {
  const app: FastifyInstance = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy,
    bodyLimit: LIMITS.bodyBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_TIMEOUT_MS,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    routerOptions: { maxParamLength: 256 },
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  // Schemas describe the API; the core checks what comes in, and answers are written as they are.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  const methodsOf = allowedMethods(app);
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(request.url);
    if (allowed.length === 0)
      throw new AppError("not_found", `There is nothing at ${request.url.split("?")[0]}.`);
    void reply.header("allow", allowed.join(", "));
    throw new AppError(
      "method_not_allowed",
      `${request.method} is not allowed here; ${allowed.join(", ")} is.`,
    );
  });
  await app.register(helmet, { contentSecurityPolicy: false });
  await app.register(cors, {
    origin: "*",
    exposedHeaders: ["Location", "Retry-After", "ETag", "Idempotent-Replayed"],
  });
  await app.register(etag);
  app.get("/healthz", { schema: { summary: "Whether the process answers", security: [] } }, () => ({
    ok: true,
  }));
  return app;
}
