import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import { Repeater } from "../repeater.ts";
import { type StreamPosition, streamsWithNews } from "./events.ts";
import { Feed, type Follower } from "./feed.ts";
import type { StreamEvent, StreamSource } from "./stream.ts";

export type FeedsOptions = {
  readonly db: Db;
  /** An event as it is sent. */
  readonly encode: (event: StreamEvent) => Uint8Array;
  readonly onError: (error: unknown) => void;
};

/**
 * All streams that are followed in this process. Wake-ups say which may go on; a slow look at all of them makes good
 * those that were lost.
 */
export class Feeds {
  readonly #options: FeedsOptions;
  readonly #feeds = new Map<string, Feed>();
  readonly #looks: Repeater;
  #draining = false;

  constructor(options: FeedsOptions) {
    this.#options = options;
    this.#looks = new Repeater({
      everyMs: LIMITS.streamLookMs,
      look: () => this.#look(),
      onError: options.onError,
    });
  }

  /**
   * Sends `follower` the events of a stream after `afterSeq`, as they are stored, until the last one, which ends it, or
   * until the returned function is called.
   */
  follow(source: StreamSource, afterSeq: number, follower: Follower): () => void {
    if (this.#draining) {
      follower.end();
      return () => undefined;
    }
    const { encode, onError } = this.#options;
    const feed = this.#feeds.get(source.id) ?? new Feed(source, encode, onError);
    this.#feeds.set(source.id, feed);
    const leave = feed.join(follower, afterSeq);
    this.#looks.start();
    return () => {
      leave();
      if (feed.isEmpty && this.#feeds.get(source.id) === feed) this.#feeds.delete(source.id);
      if (this.#feeds.size === 0) this.#looks.stop();
    };
  }

  /** Hands on that these streams may have news. */
  wake(streamIds: Iterable<string>): void {
    for (const id of streamIds) this.#feeds.get(id)?.wake();
  }

  /** Ends all streams, and whichever is opened from now on: who follows one reconnects elsewhere. */
  drain(): void {
    this.#draining = true;
    for (const feed of this.#feeds.values()) feed.end();
  }

  async #look(): Promise<void> {
    const positions = [...this.#feeds].flatMap(([streamId, { position }]): StreamPosition[] =>
      position === null ? [] : [{ streamId, seq: position }],
    );
    if (positions.length > 0) this.wake(await streamsWithNews(this.#options.db, positions));
  }
}
