import type { FastifyReply } from "fastify";
import { type CallView, isFinal } from "../../core/calls/call.ts";
import type { Calls } from "../../core/calls/calls.ts";
import { isLast, readEvents } from "../../core/calls/events.ts";
import type { Db } from "../../core/db.ts";
import { AppError } from "../../core/errors.ts";
import { openEventStream, openStreams } from "../server/sse.ts";

/** How many streams one process holds open; each costs some 13 KiB. */
const MAX_STREAMS = 20_000;

/**
 * Streams the events of a call from after `afterSeq` on, until its last one; 204 where there is nothing more to
 * come. Events are stored before they are sent, so whoever reconnects gets exactly what follows.
 */
export async function followCall(options: {
  readonly reply: FastifyReply;
  readonly db: Db;
  readonly calls: Calls;
  readonly call: CallView;
  readonly afterSeq: number;
  readonly renderEnd: (call: CallView) => Promise<string>;
}): Promise<void> {
  const { reply, db, calls, call } = options;
  if (isFinal(call.state) && (call.expired || options.afterSeq >= call.events)) {
    await reply.code(204).send();
    return;
  }
  if (openStreams() >= MAX_STREAMS)
    throw new AppError("unavailable", "Too many streams are open here. Try again.");
  const stream = openEventStream(reply);
  // Nobody has seen more than there is: whoever says so would wait for a number that never comes.
  let seq = Math.min(options.afterSeq, call.events);
  let reading: Promise<void> | undefined;
  let wokenMeanwhile = false;

  async function sendNews(): Promise<void> {
    for (const event of await readEvents(db, call.id, seq)) {
      seq = event.seq;
      if (!isLast(event)) {
        stream.send({ id: event.seq, type: event.type, data: event.data ?? "{}" });
        continue;
      }
      const ended = await calls.read(call.id);
      if (ended !== undefined)
        stream.send({ id: event.seq, type: event.type, data: await options.renderEnd(ended) });
      stream.end();
    }
  }

  function look(): void {
    wokenMeanwhile = true;
    if (reading !== undefined) return;
    wokenMeanwhile = false;
    // A failed look is made good at the next wake-up, or by the client, who reconnects and resumes.
    reading = sendNews()
      .catch(() => stream.end())
      .finally(() => {
        reading = undefined;
        if (wokenMeanwhile) look();
      });
  }

  const stopListening = calls.waiters.listen(call.id, look);
  const stopDraining = calls.waiters.whenDraining(() => stream.end());
  look();
  await stream.closed;
  stopListening();
  stopDraining();
}
