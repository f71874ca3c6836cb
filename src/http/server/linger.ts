import type { FastifyInstance, FastifyReply } from "fastify";
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { LIMITS } from "../../core/limits.ts";

/**
 * Lets a client that is still sending finish before it is answered, within bounds: one that writes its whole request
 * before it reads loses the answer when the connection closes under it. `note` is told of each piece that is dropped.
 */
export function lingerForBodies(
  app: FastifyInstance,
  note: (payload: IncomingMessage, bytes: number) => void,
): void {
  const linger = async (raw: IncomingMessage, reply: FastifyReply): Promise<void> => {
    const isWhole = await dropRest(raw, note);
    // What closed it was that a client may go on sending. Where it does, the server reads on until the request's time is over.
    if (isWhole !== "too much") void reply.removeHeader("connection");
    else void reply.header("connection", "close");
  };
  app.addHook("onSend", ({ raw }, reply, payload, done) => {
    if (raw.complete || raw.destroyed || !hasBody(raw)) done(null, payload);
    else linger(raw, reply).then(() => done(null, payload), done);
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Drops what comes of a body, until it has ended, or for as much and as long as a server lingers. */
async function dropRest(
  payload: IncomingMessage,
  note: (payload: IncomingMessage, bytes: number) => void,
): Promise<"whole" | "late" | "too much"> {
  const done = Promise.withResolvers<"whole" | "too much">();
  const stop = new AbortController();
  let bytes = 0;
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > LIMITS.lingerBytes) done.resolve("too much");
    else note(payload, chunk.length);
  };
  const onEnd = (): void => done.resolve("whole");
  payload.on("data", onData).once("end", onEnd).once("close", onEnd).once("error", onEnd).resume();
  const late = sleep(LIMITS.lingerMs, "late" as const, { signal: stop.signal }).catch(() => "late" as const);
  const how = await Promise.race([done.promise, late]);
  stop.abort();
  payload.off("data", onData).off("end", onEnd).off("close", onEnd);
  return how;
}
