import type { FastifyReply } from "fastify";
import type { ServerResponse } from "node:http";
import type { Follower } from "../../core/streams/feed.ts";
import type { StreamEvent } from "../../core/streams/stream.ts";
import { LIMITS } from "../../core/limits.ts";

const HEARTBEAT = Buffer.from(": still here\n\n");

/** An event as it is sent (WHATWG HTML, 9.2). */
export const encodeEvent = ({ seq, type, data }: StreamEvent): Buffer =>
  Buffer.from(`id: ${seq}\nevent: ${type}\ndata: ${data}\n\n`);

/** A stream of server-sent events on a hijacked reply. */
export type EventStream = Follower & {
  /** Ends it now, also where something lies unsent. */
  cut(): void;
  /** Resolves when either side has closed. */
  readonly closed: Promise<void>;
};

/** The event streams that a process holds open; one timer keeps all of them alive. */
export class EventStreams {
  readonly #open = new Set<ServerResponse>();
  readonly #heartbeatMs: number;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(heartbeatMs: number = LIMITS.streamHeartbeatMs) {
    this.#heartbeatMs = heartbeatMs;
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Takes a reply over as an event stream. Headers that hooks have set on it, such as those of CORS, are kept. */
  open(reply: FastifyReply): EventStream {
    const response = reply.raw;
    reply.hijack();
    const closed = this.#track(response);
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) response.setHeader(name, value);
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-store, no-transform",
      "x-accel-buffering": "no",
    });
    response.write(`retry: ${LIMITS.streamRetryMs}\n\n`);
    return {
      send: (frame) => send(response, frame),
      drained: () => drained(response),
      end: () => void response.end(),
      cut: () => void (response.writableLength > 0 ? response.destroy() : response.end()),
      closed,
    };
  }

  async #track(response: ServerResponse): Promise<void> {
    if (response.destroyed) return;
    this.#open.add(response);
    this.#heartbeat ??= setInterval(() => this.#beat(), this.#heartbeatMs).unref();
    await new Promise((resolve) => response.once("close", resolve));
    this.#open.delete(response);
    if (this.#open.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }

  #beat(): void {
    for (const response of this.#open) send(response, HEARTBEAT);
  }
}

/** A receiver that lags too far behind is cut off; it reconnects and resumes where it was. */
function send(response: ServerResponse, frame: Uint8Array): boolean {
  if (response.destroyed || response.writableEnded) return true;
  if (response.writableLength > LIMITS.streamLagBytes) {
    response.destroy();
    return true;
  }
  return response.write(frame);
}

/** A receiver that takes nothing for long is cut off as well. */
async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed || !response.writableNeedDrain) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => response.destroy(), LIMITS.streamStallMs);
  response.once("drain", resolve).once("close", resolve);
  await promise;
  clearTimeout(timer);
  response.off("drain", resolve).off("close", resolve);
}
