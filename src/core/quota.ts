/**
 * So much of something as one process takes on at once. One owner has at most half of it, so that nobody shuts out
 * everybody else.
 */
export class Quota {
  readonly #total: number;
  readonly #held = new Map<string, number>();
  #all = 0;

  constructor(total: number) {
    this.#total = total;
  }

  /** Takes so much for an owner; false, and nothing is taken, where that is more than there is for it. */
  tryTake(owner: string, amount: number): boolean {
    const own = (this.#held.get(owner) ?? 0) + amount;
    if (this.#all + amount > this.#total || own > this.#total / 2) return false;
    this.#held.set(owner, own);
    this.#all += amount;
    return true;
  }

  /** Gives back what was taken. */
  give(owner: string, amount: number): void {
    const own = (this.#held.get(owner) ?? 0) - amount;
    if (own < 0) throw new Error(`${owner} gives back more than it took`);
    if (own === 0) this.#held.delete(owner);
    else this.#held.set(owner, own);
    this.#all -= amount;
  }
}
