import { overloaded } from "./errors.ts";
import { LIMITS } from "./limits.ts";
import { Quota } from "./quota.ts";

/** Whose work it is, and on how many bytes. */
export type Share = { readonly owner: string; readonly bytes: number };

type Waiting = Map<string, (() => void)[]>;

/**
 * Divides the event loop of a process among pieces of synchronous work: no turn of the loop does more of it than
 * `LIMITS.turnMs`, but for the last piece begun. Of what waits, small work goes first, and the owners take turns.
 */
export class Turns {
  readonly #small: Waiting = new Map();
  readonly #long: Waiting = new Map();
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
    const waiting = share.bytes <= LIMITS.smallWorkBytes ? this.#small : this.#long;
    if (waiting.size === 0 && this.#usedMs < LIMITS.turnMs) piece();
    else if (!this.#putOff(waiting, share, piece)) {
      done.reject(overloaded("This service is working on as much at once as it can."));
    }
    this.#endTurn();
    return done.promise;
  }

  #putOff(waiting: Waiting, { owner, bytes }: Share, piece: () => void): boolean {
    if (!this.#backlog.tryTake(owner, bytes)) return false;
    const begin = (): void => {
      this.#backlog.give(owner, bytes);
      piece();
    };
    const own = waiting.get(owner);
    if (own === undefined) waiting.set(owner, [begin]);
    else own.push(begin);
    return true;
  }

  /** What waits goes on when the loop has looked for requests and answers again. */
  #endTurn(): void {
    if (this.#turnEnds) return;
    this.#turnEnds = true;
    setImmediate(() => {
      this.#turnEnds = false;
      this.#usedMs = 0;
      while (this.#usedMs < LIMITS.turnMs && (beginOne(this.#small) || beginOne(this.#long)));
      if (this.#small.size + this.#long.size > 0) this.#endTurn();
    });
  }
}

/** Begins a piece of the owner who was served longest ago; false when none waits. */
function beginOne(waiting: Waiting): boolean {
  for (const [owner, pieces] of waiting) {
    const piece = pieces.shift();
    waiting.delete(owner);
    if (pieces.length > 0) waiting.set(owner, pieces);
    piece?.();
    return piece !== undefined;
  }
  return false;
}

/** What work that begins now will have given: an exception is a rejection as well. */
async function begun<T>(work: () => T): Promise<Awaited<T>> {
  return await work();
}
