import type { Pool } from "../catalog/define.ts";

/** A call that a worker holds. (`id`, `attempt`, worker) is the fence of all that it reports. */
export type ClaimedCall = {
  readonly id: string;
  readonly accountId: string;
  readonly slug: string;
  readonly version: string;
  readonly attempt: number;
  readonly input: string;
  readonly warnings: readonly string[];
  readonly requestId: string | null;
  /** The `traceparent` of the request that made it. */
  readonly traceparent: string | null;
  /** How long it has waited for this attempt since it was made. */
  readonly waitedMs: number;
  /** The run that it is a part of. */
  readonly parentId: string | null;
  /** What is left of its time to run. */
  readonly leftMs: number;
};

/** What a pool's consumer is made of. */
export type PoolWork = {
  /** How many calls may run at once. */
  readonly slots: number;
  /** Takes up to `count` of the calls that wait; the database decides which. */
  claim(count: number): Promise<readonly ClaimedCall[]>;
  /** Runs one to its end and reports it. Never throws. */
  run(call: ClaimedCall): Promise<void>;
};

export type Consumer = {
  /** Takes no further call, and resolves when none is being claimed any more. Running ones go on. */
  stop(): Promise<void>;
};

/**
 * Tells workers that calls wait. An announcement is a hint and may be lost, late or doubled: what is run, and for
 * whom, is decided by the claim in the database.
 */
export type Dispatcher = {
  announce(pool: Pool, callIds: readonly string[]): Promise<void>;
  consume(pool: Pool, work: PoolWork): Promise<Consumer>;
  /** Since when the queue has not answered; until it does, the calls table is the queue. Null where it answers. */
  awaySince(): Date | null;
  /** How many announcements lie in the queue; null where the calls table is itself the queue. */
  waiting(pool: Pool): Promise<number | null>;
  /** What lies in a pool's queue; null where the calls table is itself the queue. */
  look(pool: Pool): Promise<QueueLook | null>;
  close(): Promise<void>;
};

/** A queue as its board shows it: announcements, and no truth about calls. */
export type QueueLook = {
  /** How many there are in each of the queue's own states. */
  readonly counts: Readonly<Record<string, number>>;
  /** Those that have been there longest, at most `LIMITS.boardJobs`. */
  readonly oldest: readonly { readonly callId: string; readonly state: string; readonly at: Date }[];
};

/**
 * What may have happened to a call; with `turn` the id is a process's, which was given a turn at a model, and with
 * `catalog` a slug, whose listing has changed.
 */
export type Wake = {
  readonly kind: "ended" | "event" | "cancel" | "turn" | "catalog";
  readonly callId: string;
};

/** A bus between all processes, for wake-ups only: whoever hears one reads the call's row. */
export type WakeBus = {
  /** Never throws, and nobody waits: what is lost is made good by a look at the row. */
  readonly publish: (wakes: readonly Wake[]) => void;
  /** Calls the listener with what is published, and with nothing when the bus is back: something may have been missed. */
  subscribe(listener: (wakes: readonly Wake[]) => void): Promise<void>;
  close(): Promise<void>;
};

const LETTER = { ended: "e", event: "p", cancel: "c", turn: "t", catalog: "k" } as const;
const KIND = { e: "ended", p: "event", c: "cancel", t: "turn", k: "catalog" } as const;

/** Wake-ups as one short line, as they travel. */
export const encodeWakes = (wakes: readonly Wake[]): string =>
  wakes.map(({ kind, callId }) => `${LETTER[kind]}${callId}`).join(",");

/** The wake-ups of such a line. */
export function decodeWakes(line: string): Wake[] {
  if (line === "") return [];
  return line.split(",").map((part) => ({ kind: KIND[part[0] as keyof typeof KIND], callId: part.slice(1) }));
}
