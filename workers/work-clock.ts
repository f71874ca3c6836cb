/**
 * A clock that runs out after `ms` of work. It stands still while what was handed in with `waiting` is under way: what a
 * run waits for is not its own doing, and its call has a deadline besides.
 */
export class WorkClock {
  readonly #over = new AbortController();
  #leftMs: number;
  #waits = 0;
  #since = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number) {
    this.#leftMs = ms;
    this.#go();
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  async waiting<T>(wait: Promise<T>): Promise<T> {
    if (this.#waits++ === 0) {
      clearTimeout(this.#timer);
      this.#leftMs -= performance.now() - this.#since;
    }
    try {
      return await wait;
    } finally {
      if (--this.#waits === 0) this.#go();
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    // What is still waited for starts nothing again.
    this.#waits++;
  }

  #go(): void {
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#over.abort(), Math.max(0, this.#leftMs));
  }
}
