import type { Socket } from "node:net";

/** For answers that no hook sees. */
export const BARE_HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
} as const;

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
};
const MALFORMED = {
  status: "400 Bad Request",
  error: "invalid_input",
  message: "This is not an HTTP request.",
};

/** Answers what Node's parser refuses, and so never becomes a request, in the shape of every other error. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, ...answer } = ANSWERS[error.code ?? ""] ?? MALFORMED;
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
