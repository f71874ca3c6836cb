import type { Db } from "../db.ts";
import { Repeater } from "../repeater.ts";
import type { Wake } from "./dispatch.ts";

/** How often those who wait look at the rows themselves, for the case of a wake-up that never came. */
const RECHECK_MS = 1_000;

type Listener = () => void;

/**
 * Those in this process who wait for calls to end. Each is woken by the bus; a slow look at the rows catches whatever the
 * bus lost.
 */
export class Waiters {
  readonly #db: Db;
  readonly #rechecks: Repeater;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #onDrain = new Set<() => void>();
  #draining = false;

  constructor(options: { readonly db: Db; readonly onError: (error: unknown) => void }) {
    this.#db = options.db;
    this.#rechecks = new Repeater({
      everyMs: RECHECK_MS,
      look: () => this.#recheck(),
      onError: options.onError,
    });
  }

  /** Hands on what the bus says. */
  wake(wakes: readonly Wake[]): void {
    for (const { kind, callId } of wakes)
      if (kind === "ended") for (const listener of this.#listeners.get(callId) ?? []) listener();
  }

  #listen(callId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(callId) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(callId, listeners);
    this.#rechecks.start();
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(callId);
      if (this.#listeners.size === 0) this.#rechecks.stop();
    };
  }

  /**
   * Starts to watch for the end of a call. Watch before the call can end (or before its row is read), and no end is
   * missed. `ended(waitMs, giveUp)` resolves at the end, after the wait, when the process drains, or with `giveUp`,
   * whichever comes first.
   */
  watch(callId: string): { ended(waitMs: number, giveUp?: Promise<void>): Promise<void>; stop(): void } {
    const end = Promise.withResolvers<void>();
    const stopListening = this.#listen(callId, end.resolve);
    const stopDraining = this.#whenDraining(end.resolve);
    let timer: NodeJS.Timeout | undefined;
    return {
      ended: (waitMs, giveUp) => {
        timer = setTimeout(end.resolve, waitMs);
        void giveUp?.then(end.resolve);
        return end.promise;
      },
      stop: () => {
        clearTimeout(timer);
        stopListening();
        stopDraining();
      },
    };
  }

  #whenDraining(listener: () => void): () => void {
    if (this.#draining) listener();
    this.#onDrain.add(listener);
    return () => this.#onDrain.delete(listener);
  }

  /** Lets everybody who waits go with what is known. */
  drain(): void {
    this.#draining = true;
    for (const listener of this.#onDrain) listener();
  }

  async #recheck(): Promise<void> {
    const ended = await this.#db.query<{ id: string }>(
      "select id from calls where id = any($1) and ended_at is not null",
      [[...this.#listeners.keys()]],
    );
    this.wake(ended.map(({ id }) => ({ kind: "ended", callId: id })));
  }
}
