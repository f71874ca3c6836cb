import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import { z } from "zod";
import { CALL_STATES, type CallView, isFinal, listCalls } from "../../core/calls/call.ts";
import type { CallRequest } from "../../core/calls/call-request.ts";
import { aroundResult, endedEnvelopeJson, envelope, pollAfterMs } from "../../core/calls/envelope.ts";
import type { AppError } from "../../core/errors.ts";
import { settledFault } from "../../core/calls/settled-fault.ts";
import { type Remarks, unknownFields } from "../../core/catalog/remarks.ts";
import { knownFields } from "../../core/json-schema/known-fields.ts";
import { LIMITS } from "../../core/limits.ts";
import { callerOf, requireKey } from "../server/auth.ts";
import { callBodyOf } from "../server/bodies.ts";
import { statusOfFailure } from "../server/errors.ts";
import { noteRequest, traceparentOfRequest } from "../server/request-log.ts";
import { pageLimit } from "../server/parse.ts";
import type { ZodTypes } from "../server/validation.ts";
import { idempotencyKeyOf, maxPriceOf, waitOf } from "./call-headers.ts";
import { callEventRoutes } from "./call-events.ts";
import { callQuery, webhookOf } from "./call-query.ts";
import { describe, problem } from "./describe.ts";
import { callLinks } from "./links.ts";
import { whileKeyHolds } from "./while-key-holds.ts";
import type { MarketplaceServices } from "./services.ts";
import * as shapes from "./shapes.ts";

/** When to make a call again whose upstream was away. */
const UPSTREAM_RETRY_S = 2;
const MAX_WAIT_S = LIMITS.maxWaitMs / 1000;

const pollQuery = z.object({
  wait: z.coerce
    .number()
    .min(0)
    .default(0)
    .describe(`seconds to wait for the end; more than ${MAX_WAIT_S} is taken as ${MAX_WAIT_S}`),
});
const listQuery = z.object({
  status: z.enum(CALL_STATES).optional(),
  slug: z.string().optional(),
  idempotency_key: z.string().optional(),
  before: z.string().optional().describe("the call_id of the last call seen"),
  limit: pageLimit,
});
const KNOWN_QUERY = knownFields(z.toJSONSchema(callQuery));
const callId = z.object({ id: z.string().describe("the call's id") });

/** Calls: making one, looking at it, following it, taking it back. */
export function callRoutes(app: FastifyInstance, services: MarketplaceServices): void {
  const { db, calls, estimates, outputs, streaming, baseUrl } = services;
  const routes = app.withTypeProvider<ZodTypes>();
  const onRequest = requireKey(services.authenticator);

  const linksOf = callLinks(baseUrl, services.keyRing);
  const endedEnvelope = async (call: CallView): Promise<string> => {
    const output = outputs.of(call).catch((error: unknown) => {
      throw unreadable(error, call.id);
    });
    return endedEnvelopeJson(call, await output);
  };

  /** Answers with a call's envelope; `doneStatus` is what a call that ended says. A fault here says what was paid. */
  async function send(
    reply: FastifyReply,
    read: CallView,
    doneStatus: (call: CallView) => number,
  ): Promise<FastifyReply> {
    const call = toldOf(read, reply.request.remarks);
    noteRequest(reply.request, { callId: call.id });
    try {
      return await sendEnvelope(reply, call, doneStatus);
    } catch (error) {
      throw unreadable(error, call.id);
    }
  }

  async function sendEnvelope(
    reply: FastifyReply,
    call: CallView,
    doneStatus: (call: CallView) => number,
  ): Promise<FastifyReply> {
    const done = isFinal(call.state);
    const status = done ? doneStatus(call) : 202;
    void reply.code(status).header("content-type", "application/json; charset=utf-8");
    if (!done) {
      const etaMs = await estimates.etaMs(call);
      void reply
        .header("location", linksOf(call.id).pollUrl)
        .header("retry-after", secondsOf(pollAfterMs(etaMs)));
      return await reply.send(JSON.stringify(envelope(call, { linksOf, etaMs })));
    }
    if (status === 503) void reply.header("retry-after", String(UPSTREAM_RETRY_S));
    const large = await outputs.large(call);
    if (large === null) return await reply.send(await endedEnvelope(call));
    const parts = aroundResult(endedEnvelopeJson(call, null), large);
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    return await reply.header("content-length", bytes).send(Readable.from(parts, { objectMode: false }));
  }

  app.post(
    "/api/call/:slug",
    {
      onRequest: [
        onRequest,
        async (request) =>
          void (await calls.checks.admit({ ...offerOf(request), caller: callerOf(request) })),
      ],
      config: {
        callBody: { limitOf: (request) => calls.checks.find(offerOf(request)).capability.maxBodyBytes },
      },
      schema: { hide: true },
    },
    async (request, reply) => {
      const { waitMs, applied } = waitOf(request, services.callWaitMs);
      const wish: CallRequest = {
        ...offerOf(request),
        caller: callerOf(request),
        body: callBodyOf(request),
        waitMs,
        idempotencyKey: idempotencyKeyOf(request),
        maxPrice: maxPriceOf(request),
        webhook: webhookOf(request),
        warnings: unknownFields(request.query, KNOWN_QUERY, "query parameter"),
        requestId: request.id,
        traceparent: traceparentOfRequest(request),
      };
      const { call, replayed } = await whileKeyHolds(streaming.keys, wish.caller, (giveUp) =>
        calls.start({ ...wish, giveUp }),
      );
      if (applied !== null) void reply.header("preference-applied", applied);
      if (replayed) {
        void reply.header("idempotent-replayed", "true");
        request.remarks = [...request.remarks, ...webhookRemark(call, wish)];
      }
      return await send(reply, call, statusOfEnd);
    },
  );

  routes.get(
    "/api/calls/:id",
    {
      onRequest,
      schema: {
        ...describe({
          tag: "calls",
          summary: "One call",
          description: "202 until it is done, then 200 whatever its outcome.",
          answers: { 200: shapes.anyCall, 202: shapes.pending, ...problem(400, 401, 404) },
        }),
        params: callId,
        querystring: pollQuery,
      },
    },
    async (request, reply) => {
      const { wait } = request.query;
      const caller = callerOf(request);
      const waitMs = Math.min(wait, MAX_WAIT_S) * 1000;
      const { call } = await whileKeyHolds(streaming.keys, caller, async (giveUp) => ({
        call: await calls.poll(caller.accountId, request.params.id, waitMs, giveUp),
      }));
      return await send(reply, call, () => 200);
    },
  );

  routes.get(
    "/api/calls",
    {
      onRequest,
      schema: {
        ...describe({
          tag: "calls",
          summary: "The account's calls, newest first, without their results",
          description:
            "A page may be short, even empty, and still have a `next_before`, where a filter matches little.",
          answers: { 200: shapes.callPage, ...problem(400, 401) },
        }),
        querystring: listQuery,
      },
    },
    async (request) => {
      const { status, idempotency_key, limit, ...rest } = request.query;
      const found = await listCalls(db, callerOf(request).accountId, {
        ...rest,
        state: status,
        idempotencyKey: idempotency_key,
        limit,
      });
      const rows = await Promise.all(
        found.calls.map(async (call) => ({
          call_id: call.id,
          ...envelope(call, { linksOf, etaMs: await estimates.etaMs(call) }),
          created: call.createdAt,
        })),
      );
      return { calls: rows, next_before: found.nextBefore };
    },
  );

  routes.post(
    "/api/calls/:id/cancel",
    {
      onRequest,
      schema: {
        ...describe({
          tag: "calls",
          summary: "Take a call back",
          description:
            "200 when it has ended so, with its refund; 202 while the worker that runs it is being stopped.",
          answers: { 200: shapes.failed, 202: shapes.pending, ...problem(401, 404, 409) },
        }),
        params: callId,
      },
    },
    async (request, reply) =>
      send(reply, await calls.cancel(callerOf(request).accountId, request.params.id), () => 200),
  );

  callEventRoutes(app, services, endedEnvelope);
}

const unreadable = (error: unknown, callId: string): AppError =>
  settledFault(error, callId, "The call or its result cannot be read");

/** A call with what is told of the request that asks for it, besides what was told of the one that made it. */
const toldOf = (call: CallView, remarks: Remarks): CallView =>
  remarks.length === 0 ? call : { ...call, warnings: [...call.warnings, ...remarks] };

/** A repeated request is told that the webhook which it names is not that of the call. */
function webhookRemark({ id, webhookUrl }: CallView, { webhook = null }: CallRequest): Remarks {
  if (webhook === null || webhook === webhookUrl) return [];
  const instead = webhookUrl === null ? "nowhere" : "where the first request asked for";
  return [`webhook: not taken. The call ${id} was made before, and its end is posted ${instead}.`];
}

/** A time in whole seconds, as headers have it, and none too early. */
const secondsOf = (ms: number): string => String(Math.ceil(ms / 1000));

/** What is called, at the only path that all calls have. */
const offerOf = (request: FastifyRequest) =>
  ({ surface: "marketplace", name: (request.params as { readonly slug: string }).slug }) as const;

const statusOfEnd = (call: CallView): number =>
  call.state === "succeeded" ? 200 : statusOfFailure(call.errorCode, call.inputFault);
