import type { IncomingMessage, ServerResponse } from "node:http";
import { ProtocolError } from "./protocol-error.ts";

/** A request's body as it was sent, not looked at yet. */
export type Body = Readonly<Record<string, unknown>>;

/** Four times what any capability hands to a model. */
const MAX_BODY_BYTES = 4 * 1_048_576;

/** Reads the JSON object of a request. Throws `ProtocolError` for one that is too large, and for anything else. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) {
      throw new ProtocolError(413, `The body is larger than ${MAX_BODY_BYTES} bytes.`, {
        code: "request_too_large",
      });
    }
    chunks.push(chunk);
  }
  const body = parseJson(Buffer.concat(chunks).toString("utf8"));
  if (!isObject(body)) throw new ProtocolError(400, "The body must be one JSON object.");
  return body;
}

/** The value of a JSON text; undefined for a text that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Sends a JSON answer, unless one has begun already. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { "content-type": "application/json", "content-length": bytes.byteLength });
  response.end(bytes);
}

/** A text field of a body. Throws `ProtocolError` where it is missing, empty or none. */
export function requiredText(body: Body, param: string): string {
  const value = body[param];
  if (typeof value === "string" && value !== "") return value;
  throw new ProtocolError(400, `${param} must be a text that is not empty.`, { param });
}

/** A whole number of a body, or null where there is none. Throws `ProtocolError` outside of its range. */
export function optionalWhole(body: Body, param: string, max: number): number | null {
  const value = body[param] ?? null;
  if (value === null) return null;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new ProtocolError(400, `${param} must be a whole number from 1 to ${max}.`, { param });
}
