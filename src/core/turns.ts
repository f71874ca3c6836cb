import { overloaded } from "./errors.ts";
import { LIMITS } from "./limits.ts";
import { Quota } from "./quota.ts";

/** Whose work it is, and on how many bytes. */
export type Share = { readonly owner: string; readonly bytes: number };

/**
 * Divides the event loop of a process among pieces of synchronous work: no turn of the loop does more of it than
 * `LIMITS.turnMs`, but for the last piece begun, and the owners of what waits take turns. What works on a few kilobytes
 * only is done at once: it is over sooner than it could be put off.
 */
export class Turns {
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #backlog = new Quota(LIMITS.turnsBacklogBytes);
  #usedMs = 0;
  #turnEnds = false;

  /** Does a piece of work. Rejects with what it throws, or with `overloaded` where too much waits already. */
  run<T>(share: Share, work: () => T): Promise<Awaited<T>> {
    const done = Promise.withResolvers<Awaited<T>>();
    const piece = (): void => {
      const startedAt = performance.now();
      done.resolve(begun(work));
      this.#usedMs += performance.now() - startedAt;
    };
    const isFree = this.#waiting.size === 0 && this.#usedMs < LIMITS.turnMs;
    if (isFree || share.bytes <= LIMITS.smallWorkBytes) piece();
    else if (!this.#putOff(share, piece)) {
      done.reject(overloaded("This service is working on as much at once as it can."));
    }
    this.#endTurn();
    return done.promise;
  }

  #putOff({ owner, bytes }: Share, piece: () => void): boolean {
    if (!this.#backlog.tryTake(owner, bytes)) return false;
    const begin = (): void => {
      this.#backlog.give(owner, bytes);
      piece();
    };
    const waiting = this.#waiting.get(owner);
    if (waiting === undefined) this.#waiting.set(owner, [begin]);
    else waiting.push(begin);
    return true;
  }

  /** What waits goes on when the loop has looked for requests and answers again. */
  #endTurn(): void {
    if (this.#turnEnds) return;
    this.#turnEnds = true;
    setImmediate(() => {
      this.#turnEnds = false;
      this.#usedMs = 0;
      for (let next = this.#next(); next !== undefined; next = this.#next()) next();
      if (this.#waiting.size > 0) this.#endTurn();
    });
  }

  /** A piece of who was served longest ago; undefined when none waits, or the turn has lasted. */
  #next(): (() => void) | undefined {
    if (this.#usedMs >= LIMITS.turnMs) return undefined;
    for (const [owner, waiting] of this.#waiting) {
      const piece = waiting.shift();
      this.#waiting.delete(owner);
      if (waiting.length > 0) this.#waiting.set(owner, waiting);
      return piece;
    }
    return undefined;
  }
}

/** What work that begins now will have given: an exception is a rejection as well. */
async function begun<T>(work: () => T): Promise<Awaited<T>> {
  return await work();
}
