import { setTimeout as sleep } from "node:timers/promises";
import { batch } from "../src/core/batch.ts";
import type { PoolWork } from "../src/core/calls/dispatch.ts";

/** Ended calls whose hints have not come yet; more of them cost a look at the database each. */
const REMEMBERED = 10_000;
/** More hints than that wait for the next look. */
const ASKERS_AT_ONCE = 1_000;

/** A call that was begun here. `hinted`: its hint has come; another one says that the call waits again. */
type Run = { readonly end: Promise<void>; hinted: boolean };

/**
 * What one consumer runs. A hint brings one call, and hints are fetched one after the other; so the first of them
 * claims for every free slot, and those that come after find their calls running here already.
 */
export class Runs {
  readonly #work: PoolWork;
  /** The runs of this consumer, by call, until their hints have come; oldest first. */
  readonly #known = new Map<string, Run>();
  /** Claims, and says whether more calls may wait. */
  readonly #claim: (ask: void) => Promise<boolean>;
  #free: number;
  #slotFreed = Promise.withResolvers<void>();
  #claiming = new Set<Promise<boolean>>();
  #stopping = false;
  /** How many look for calls without hints. */
  #lookers = 0;

  constructor(work: PoolWork) {
    this.#work = work;
    this.#free = work.slots;
    this.#claim = batch<void, boolean>({
      maxItems: ASKERS_AT_ONCE,
      maxInFlight: 1,
      run: async (askers) => {
        const more = await this.#claimFree();
        return askers.map(() => more);
      },
    });
  }

  /** How many calls run at once at most. */
  get slots(): number {
    return this.#work.slots;
  }

  /** Sees to it that a call that waits is run, by this consumer or another; resolves when it has ended here. */
  async follow(callId: string): Promise<void> {
    const isNews = (): boolean => this.#known.get(callId)?.hinted ?? true;
    while (isNews()) {
      if (!(await this.#claimNow())) break;
    }
    const run = this.#known.get(callId);
    // A doubled hint holds nothing: it would keep the consumer from the hints of calls that still wait.
    if (run === undefined || run.hinted) return;
    run.hinted = true;
    await run.end;
    if (this.#known.get(callId) === run) this.#known.delete(callId);
  }

  /**
   * Claims without hints, until `signal` says that they come again: at once while more calls may wait than there were
   * free slots, and else every `everyMs`.
   */
  async look({
    everyMs,
    signal,
    onError,
  }: {
    readonly everyMs: number;
    readonly signal: AbortSignal;
    readonly onError: (error: unknown) => void;
  }): Promise<void> {
    this.#lookers++;
    while (!signal.aborted && !this.#stopping) {
      const more = await this.#claimNow().catch(onError);
      if (more !== true) await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
    this.#lookers--;
  }

  /** Claims nothing more; resolves when nothing is being claimed. What a claim under way brings has begun to run then. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#slotFreed.resolve();
    await Promise.allSettled(this.#claiming);
  }

  async #claimNow(): Promise<boolean> {
    const claiming = this.#claim();
    this.#claiming.add(claiming);
    return await claiming.finally(() => this.#claiming.delete(claiming));
  }

  async #claimFree(): Promise<boolean> {
    while (this.#free === 0 && !this.#stopping) await this.#slotFreed.promise;
    if (this.#stopping) return false;
    const asked = this.#free;
    const calls = await this.#work.claim(asked);
    for (const call of calls) this.#begin(call);
    return calls.length === asked;
  }

  #begin(call: Parameters<PoolWork["run"]>[0]): void {
    this.#free--;
    const end = this.#work.run(call).finally(() => {
      this.#free++;
      this.#slotFreed.resolve();
      this.#slotFreed = Promise.withResolvers();
    });
    this.#known.delete(call.id);
    // No hint of it need ever come, and one that does come later may tell that it waits again.
    if (this.#lookers > 0) return;
    this.#known.set(call.id, { end, hinted: false });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= REMEMBERED) break;
      this.#known.delete(oldest);
    }
  }
}
