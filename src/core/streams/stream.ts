import { type AppError, invalidInput } from "../errors.ts";

/** One event as it is told. `seq` is its id: 1, 2, 3 ... in each stream, without a gap. */
export type StreamEvent = {
  readonly seq: number;
  readonly type: string;
  /** JSON without line breaks. */
  readonly data: string;
  /** Nothing follows it. */
  readonly last: boolean;
};

/** A stream that can be followed: of a call, and of whatever else stores its events before it tells of them. */
export type StreamSource = {
  /** The wake-ups of this id are of this stream. */
  readonly id: string;
  /** The events after a number, in order, at most `limit`. */
  read(afterSeq: number, limit: number): Promise<readonly StreamEvent[]>;
};

/** How far a stream is. `last` is the number of its last event so far; `ended`: none will follow. */
export type StreamState = { readonly last: number; readonly ended: boolean };

const ID = /^(0|[1-9]\d*)$/;

/**
 * After which event somebody follows a stream, from the id that was seen last (null or empty: from the first on). Gives
 * "nothing left" where nothing more comes; throws `invalid_input` for what is no id, or one that there was never.
 *
 * @param from where the id was given, for the message
 */
export function resumeAfter(
  text: string | null,
  { last, ended }: StreamState,
  from: string,
): number | "nothing left" {
  const id = text === null || text === "" ? "0" : text;
  if (!ID.test(id)) throw refusedId(from, "must be the id of an event: 1, 2, 3 ...");
  const seq = Number(id);
  if (ended) return seq >= last ? "nothing left" : seq;
  if (seq > last) throw refusedId(from, `lies beyond the last event so far, ${last}`);
  return seq;
}

const refusedId = (path: string, message: string): AppError => invalidInput([{ path, message }]);
