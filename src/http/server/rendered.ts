import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { hasEtag } from "./etag.ts";

/** An answer in JSON that is made once and given many times. */
export type Rendered = { readonly bytes: Buffer; readonly etag: string };

export function rendered(json: string): Rendered {
  const bytes = Buffer.from(json);
  return { bytes, etag: `"${createHash("sha1").update(bytes).digest("base64url")}"` };
}

/** Answers with it, or with 304 who has it already (RFC 9110, 13.1.2). */
export function sendRendered(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: Rendered,
): FastifyReply {
  void reply.header("etag", etag);
  if (hasEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  return reply.header("content-type", "application/json; charset=utf-8").send(bytes);
}
