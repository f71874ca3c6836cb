import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import { Repeater } from "../repeater.ts";

/** A key that is used for a while: to wait for a call, or to follow a stream. */
export type WatchedKey = {
  /** Resolves when the key was revoked or has expired. */
  readonly lost: Promise<void>;
  isLost(): boolean;
  stop(): void;
};

/**
 * Looks again and again whether keys that are in use still hold, all of them in one question, so that what began with a
 * valid key ends soon after it is none any more.
 */
export class KeyWatch {
  readonly #db: Db;
  readonly #looks: Repeater;
  readonly #uses = new Map<string, Set<() => void>>();

  constructor(db: Db, onError: (error: unknown) => void) {
    this.#db = db;
    this.#looks = new Repeater({ everyMs: LIMITS.keyLookMs, look: () => this.#look(), onError });
  }

  /** Watches a key until `stop` is called. */
  watch(keyId: string): WatchedKey {
    const { promise: lost, resolve } = Promise.withResolvers<void>();
    let isLost = false;
    const lose = (): void => {
      isLost = true;
      resolve();
    };
    const uses = this.#uses.get(keyId) ?? new Set();
    this.#uses.set(keyId, uses.add(lose));
    this.#looks.start();
    return {
      lost,
      isLost: () => isLost,
      stop: () => {
        uses.delete(lose);
        if (uses.size === 0 && this.#uses.get(keyId) === uses) this.#uses.delete(keyId);
        if (this.#uses.size === 0) this.#looks.stop();
      },
    };
  }

  async #look(): Promise<void> {
    const lost = await this.#db.query<{ id: string }>(
      `select k.id from unnest($1::text[]) u(id)
          cross join lateral (select k.* from api_keys k where k.id = u.id limit 1) k
          where k.revoked_at is not null or k.expires_at <= (select clock_now())`,
      [[...this.#uses.keys()]],
    );
    for (const { id } of lost) for (const lose of this.#uses.get(id) ?? []) lose();
  }
}
