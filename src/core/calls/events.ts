import type { Db } from "../db.ts";

/** One event of a call; `seq` is its id in the stream, from 1 without a gap. */
export type CallEvent = {
  readonly seq: number;
  readonly type: "status" | "progress" | "completed" | "failed";
  /** JSON; null for the last one, whose data is the call's envelope. */
  readonly data: string | null;
};

/** The events of a call after `afterSeq`, in order. */
export async function readEvents(db: Db, callId: string, afterSeq: number): Promise<CallEvent[]> {
  return await db.query<CallEvent>("select seq, type, data from read_events($1, $2)", [callId, afterSeq]);
}

export const isLast = (event: CallEvent): boolean => event.type === "completed" || event.type === "failed";
