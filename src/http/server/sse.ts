import type { FastifyReply } from "fastify";
import type { ServerResponse } from "node:http";

const RETRY_MS = 2_000;
const HEARTBEAT_MS = 15_000;
/** A consumer that lags further behind is cut off; it reconnects and resumes where it was. */
const LAG_BYTES = 262_144;

const open = new Set<ServerResponse>();
let heartbeat: NodeJS.Timeout | undefined;

/** A server-sent event stream (WHATWG HTML, 9.2) on a hijacked reply. */
export type EventStream = {
  /** Sends one event; `data` has no line break. */
  send(event: { readonly id: number; readonly type: string; readonly data: string }): void;
  end(): void;
  /** Resolves when either side has closed. */
  readonly closed: Promise<void>;
};

/** Takes a reply over as an event stream; the headers that were set on it are kept. */
export function openEventStream(reply: FastifyReply): EventStream {
  const response = reply.raw;
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) response.setHeader(name, value);
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  });
  response.write(`retry: ${RETRY_MS}\n\n`);
  open.add(response);
  heartbeat ??= setInterval(
    () => open.forEach((stream) => stream.write(": still here\n\n")),
    HEARTBEAT_MS,
  ).unref();
  const closed = new Promise<void>((resolve) => {
    response.once("close", () => {
      open.delete(response);
      resolve();
    });
  });
  return {
    send: ({ id, type, data }) => {
      if (response.writableLength > LAG_BYTES) response.destroy();
      else response.write(`id: ${id}\nevent: ${type}\ndata: ${data}\n\n`);
    },
    end: () => response.end(),
    closed,
  };
}

/** How many streams this process holds open. */
export const openStreams = (): number => open.size;
