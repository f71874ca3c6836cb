import type { Db } from "../db.ts";
import { readEvents } from "../streams/events.ts";
import type { StreamEvent, StreamSource, StreamState } from "../streams/stream.ts";
import { type CallView, isFinal } from "./call.ts";

/** What ends the stream of a call. */
const LAST = new Set(["completed", "failed"]);

/** How far the stream of a call is. Of one whose events are no longer kept nothing follows, whatever was seen. */
export const streamState = (call: CallView): StreamState => ({
  last: call.expired ? 0 : call.events,
  ended: isFinal(call.state),
});

/** The events of a call; the data of the last one is its envelope, which `readEnvelope` gives. */
export function callStream(db: Db, callId: string, readEnvelope: () => Promise<string>): StreamSource {
  return {
    id: callId,
    read: async (afterSeq, limit) => {
      const told: StreamEvent[] = [];
      for (const { seq, type, data } of await readEvents(db, callId, afterSeq, limit)) {
        const last = LAST.has(type);
        told.push({ seq, type, data: last ? await readEnvelope() : (data ?? "{}"), last });
      }
      return told;
    },
  };
}
