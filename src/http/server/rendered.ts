import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Remarks } from "../../core/catalog/remarks.ts";
import { hasEtag } from "./etag.ts";

/** An answer in JSON that is made once and given many times. */
export type Rendered = { readonly bytes: Buffer; readonly etag: string };

export function rendered(json: string): Rendered {
  const bytes = Buffer.from(json);
  return { bytes, etag: `"${createHash("sha1").update(bytes).digest("base64url")}"` };
}

/** Answers with it and with what is told of the request, or with 304 who has it already (RFC 9110, 13.1.2). */
export function sendRendered(request: FastifyRequest, reply: FastifyReply, answer: Rendered): FastifyReply {
  const { bytes, etag } = request.remarks.length === 0 ? answer : withRemarks(answer, request.remarks);
  void reply.header("etag", etag);
  if (hasEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  return reply.header("content-type", "application/json; charset=utf-8").send(bytes);
}

const withRemarks = ({ bytes }: Rendered, remarks: Remarks): Rendered =>
  rendered(`${bytes.toString().slice(0, -1)},"warnings":${JSON.stringify(remarks)}}`);
