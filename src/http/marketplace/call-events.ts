import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { type CallView, isFinal } from "../../core/calls/call.ts";
import { callStream, streamState } from "../../core/calls/call-stream.ts";
import { invalidInput } from "../../core/errors.ts";
import { callerOfToken } from "../../core/streams/stream-urls.ts";
import { resumeAfter } from "../../core/streams/stream.ts";
import { admit, callerOf, requireKey } from "../server/auth.ts";
import { followStream } from "../server/follow.ts";
import { parse } from "../server/parse.ts";
import { describe, EVENTS, problem } from "./describe.ts";
import type { MarketplaceServices } from "./services.ts";

const query = z.object({
  lastEventId: z.string().optional().describe("as `Last-Event-ID`, which wins"),
  token: z.string().optional().describe("of a `stream_url`, in place of a key"),
});
const headers = z.object({
  "Last-Event-ID": z.string().optional().describe("the id of the last event seen"),
});

/** Following a call. `readEnvelope` gives the envelope of one that has ended. */
export function callEventRoutes(
  app: FastifyInstance,
  { db, calls, keyRing, streaming, authenticator, maxStreamsPerAccount }: MarketplaceServices,
  renderEnvelope: (call: CallView) => Promise<string>,
): void {
  const byKey = requireKey(authenticator);

  async function readEnvelope(callId: string): Promise<string> {
    const call = await calls.read(callId);
    if (call === undefined) throw new Error(`the call ${callId} of a stream is not there`);
    return await renderEnvelope(call);
  }

  app.get<{ Params: { id: string } }>(
    "/api/calls/:id/events",
    {
      exposeHeadRoute: false,
      onRequest: async function (request, reply) {
        const { token } = request.query as { token?: unknown };
        if (typeof token === "string")
          admit(request, reply, await callerOfToken(db, keyRing, request.params.id, token));
        else await byKey.call(this, request, reply);
      },
      schema: describe({
        tag: "calls",
        summary: "Follow a call",
        description:
          "Server-sent events `status`, `progress`, and at the end `completed` or `failed` with the envelope. Ids count from 1; `Last-Event-ID` resumes after one, also in another process and after any crash; an id beyond the last is 400, and past the end, or when the events are no longer kept, the answer is 204. A comment every 15 seconds keeps the connection alive. `stream_url` of an envelope is this path with a token, for browsers, whose `EventSource` sends no key.",
        params: { id: "the call's id" },
        query,
        headers,
        answers: { 200: EVENTS, 204: null, ...problem(400, 401, 404, 429) },
      }),
    },
    async (request, reply) => {
      const { accountId, keyId } = callerOf(request);
      const call = await calls.poll(accountId, request.params.id, 0);
      const { text, from } = lastEventId(request);
      const afterSeq = resumeAfter(text, streamState(call), from);
      const source = callStream(db, call.id, () => readEnvelope(call.id));
      if (afterSeq === "nothing left") return await reply.code(204).send();
      // What cannot be read is said before the stream begins, within which nothing but silence could say it.
      if (isFinal(call.state)) await renderEnvelope(call);
      await followStream(streaming, reply, {
        source,
        afterSeq,
        quota: { scope: accountId, max: maxStreamsPerAccount },
        keyId,
      });
      return reply;
    },
  );
}

/** What the receiver has seen last, by the header or else the query, and which of them said so. */
function lastEventId(request: FastifyRequest): { readonly text: string | null; readonly from: string } {
  const header = request.headers["last-event-id"];
  if (typeof header === "string" && header !== "") return { text: header, from: "Last-Event-ID" };
  if (Array.isArray(header)) throw invalidInput([{ path: "Last-Event-ID", message: "must be given once" }]);
  return { text: parse(query, request.query).lastEventId ?? null, from: "lastEventId" };
}
