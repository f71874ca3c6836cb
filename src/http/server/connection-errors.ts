import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** For answers that no hook sees. */
export const BARE_HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
} as const;

const inHead = (message: string) => ({ status: "400 Bad Request", error: "invalid_input", message });
const IN_URL = "A space or a letter outside ASCII stands in the URL: percent-encode it (`%20`, `k%C3%A4se`).";

const ANSWERS: Readonly<
  Record<string, { readonly status: string; readonly error: string; readonly message: string }>
> = {
  HPE_HEADER_OVERFLOW: {
    status: "431 Request Header Fields Too Large",
    error: "payload_too_large",
    message: "The headers are larger than this service takes.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: "408 Request Timeout",
    error: "invalid_input",
    message: "The request did not arrive in time.",
  },
  HPE_INVALID_URL: inHead(IN_URL),
  HPE_INVALID_CONSTANT: inHead(IN_URL),
  HPE_INVALID_METHOD: inHead("This begins with no method of HTTP."),
  HPE_INVALID_VERSION: inHead("This service speaks HTTP/1.1."),
  HPE_INVALID_TRANSFER_ENCODING: inHead("Transfer-Encoding can be `chunked` and nothing else."),
  HPE_INVALID_CONTENT_LENGTH: inHead("Content-Length must be a number."),
  HPE_UNEXPECTED_CONTENT_LENGTH: inHead(
    "Content-Length must be given once, and not beside Transfer-Encoding.",
  ),
};
const MALFORMED = {
  status: "400 Bad Request",
  error: "invalid_input",
  message: "This is not an HTTP request.",
};

const NO_TUNNEL = {
  status: "405 Method Not Allowed",
  error: "method_not_allowed",
  message: "This service is no proxy.",
};

/** Answers CONNECT, of which Node makes no request. */
export const refuseTunnel = (_request: unknown, socket: Duplex): void => endWith(socket, NO_TUNNEL);

/** Answers what Node's parser refuses, and so never becomes a request, in the shape of every other error. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  endWith(socket, ANSWERS[error.code ?? ""] ?? MALFORMED);
}

function endWith(socket: Duplex, { status, ...answer }: (typeof ANSWERS)[string]): void {
  const body = JSON.stringify({ ...answer, issues: [{ path: "", message: answer.message }] });
  const headers = {
    ...BARE_HEADERS,
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
}
