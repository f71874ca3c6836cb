import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createHash } from "node:crypto";

/**
 * Gives what is read with GET an `ETag`, and answers 304 to who has it already (RFC 9110, 13.1.2). Answers to other
 * methods and errors have none: a paid result is neither hashed again nor kept from its caller.
 */
export function addEtags(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => done(null, tagged(request, reply, payload)));
}

/** What is sent in place of an answer. */
function tagged({ method, headers }: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (method !== "GET" && method !== "HEAD") return payload;
  if (reply.statusCode !== 200 || typeof payload !== "string") return payload;
  const etag = `"${createHash("sha1").update(payload).digest("base64url")}"`;
  void reply.header("etag", etag);
  if (!hasEtag(headers["if-none-match"], etag)) return payload;
  void reply.code(304).removeHeader("content-type");
  return "";
}

/** Whether an `If-None-Match` names this strong ETag; weak comparison, as it is meant for. */
export function hasEtag(header: string | undefined, etag: string): boolean {
  return (header ?? "")
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === etag || tag === "*");
}
