import { LIMITS } from "../limits.ts";
import type { StreamEvent, StreamSource } from "./stream.ts";

/** Somebody who follows a stream; `frame` is an event as it is sent, the same bytes for all. */
export type Follower = {
  /** False: the receiver lags, and who can wait should wait for `drained`. */
  send(frame: Uint8Array): boolean;
  /** Resolves when all that was sent is on its way, or the connection is closed. */
  drained(): Promise<void>;
  end(): void;
};

type Member = {
  readonly follower: Follower;
  /** The last event that it was sent. */
  seq: number;
  /** Whether it has caught up, and is sent what comes when it comes. */
  live: boolean;
  left: boolean;
};

/**
 * One stream as this process tells it: what is new is read once and encoded once, for all who follow it. Each follower
 * is subscribed first, then reads what is stored after its own position at its own pace, and then goes live.
 */
export class Feed {
  readonly #source: StreamSource;
  readonly #encode: (event: StreamEvent) => Uint8Array;
  readonly #onError: (error: unknown) => void;
  readonly #members = new Set<Member>();
  #wakes = 0;
  #telling = false;

  constructor(
    source: StreamSource,
    encode: (event: StreamEvent) => Uint8Array,
    onError: (error: unknown) => void,
  ) {
    this.#source = source;
    this.#encode = encode;
    this.#onError = onError;
  }

  /** Lets somebody follow from after an event on, until the returned function is called. */
  join(follower: Follower, afterSeq: number): () => void {
    const member: Member = { follower, seq: afterSeq, live: false, left: false };
    this.#members.add(member);
    void this.#catchUp(member).catch((error: unknown) => this.#giveUp([member], error));
    return () => this.#leave(member);
  }

  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  /** How far those who are live were told; null while nobody is. */
  get position(): number | null {
    const live = this.#live();
    return live.length === 0 ? null : seqOfLast(live);
  }

  /** There may be news. */
  wake(): void {
    this.#wakes++;
    if (this.#telling) return;
    void this.#tellNews().catch((error: unknown) => this.#giveUp(this.#live(), error));
  }

  /** Ends it for all who follow. */
  end(): void {
    for (const { follower } of this.#members) follower.end();
  }

  #live(): Member[] {
    return [...this.#members].filter(({ live }) => live);
  }

  #leave(member: Member): void {
    member.left = true;
    this.#members.delete(member);
  }

  async #catchUp(member: Member): Promise<void> {
    let events: readonly StreamEvent[];
    let wakes: number;
    do {
      wakes = this.#wakes;
      events = await this.#source.read(member.seq, LIMITS.streamPageEvents);
      for (const event of events) {
        if (member.left) return;
        if (!this.#tell(member, event, this.#encode(event))) await member.follower.drained();
      }
    } while (events.length === LIMITS.streamPageEvents);
    member.live = !member.left;
    if (wakes !== this.#wakes) this.wake();
  }

  /** Until nothing woke it meanwhile. */
  async #tellNews(): Promise<void> {
    this.#telling = true;
    try {
      for (let wakes = -1; wakes !== this.#wakes;) {
        wakes = this.#wakes;
        await this.#tellPages();
      }
    } finally {
      this.#telling = false;
    }
  }

  async #tellPages(): Promise<void> {
    let events: readonly StreamEvent[];
    do {
      const live = this.#live();
      if (live.length === 0) return;
      events = await this.#source.read(seqOfLast(live), LIMITS.streamPageEvents);
      for (const event of events) this.#tellAll(live, event);
    } while (events.length === LIMITS.streamPageEvents);
  }

  /** Only those for whom it was read: who went live meanwhile may be further back, and has asked for another look. */
  #tellAll(live: readonly Member[], event: StreamEvent): void {
    const frame = this.#encode(event);
    for (const member of live) if (!member.left && member.seq < event.seq) this.#tell(member, event, frame);
  }

  /** What would leave a gap is not sent: who reconnects gets what follows, or hears that it is no longer kept. */
  #tell(member: Member, event: StreamEvent, frame: Uint8Array): boolean {
    if (event.seq !== member.seq + 1) {
      this.#giveUp([member], new Error(`event ${event.seq} came after ${member.seq}`));
      return true;
    }
    member.seq = event.seq;
    const flows = member.follower.send(frame);
    if (event.last) this.#dismiss(member);
    return flows;
  }

  /** They reconnect, and resume where they were. */
  #giveUp(members: readonly Member[], error: unknown): void {
    this.#onError(error);
    for (const member of members) this.#dismiss(member);
  }

  #dismiss(member: Member): void {
    this.#leave(member);
    member.follower.end();
  }
}

/** The position of whoever is least far. */
const seqOfLast = (members: readonly Member[]): number =>
  members.reduce((least, { seq }) => Math.min(least, seq), Number.POSITIVE_INFINITY);
