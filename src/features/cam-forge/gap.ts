import { Chain } from "./chain.ts";
import type { Triangles } from "./triangles.ts";

/**
 * A stretch of the sweep line between two holes, or a hole and the outline. Where a hole has ended below, it is two
 * pieces side by side, until a corner comes that can be joined to the hole's highest.
 */
export class Gap {
  readonly #triangles: Triangles;
  #chain: Chain;
  /** The right one of two pieces. */
  #beyond: Chain | undefined;
  /** The next corners up its sides. */
  left: number;
  right: number;
  /** The loop on its right, and the gap behind that. */
  loop: number;
  next: Gap | undefined;

  constructor(triangles: Triangles, chain: Chain, left: number, right: number, loop: number) {
    this.#triangles = triangles;
    this.#chain = chain;
    this.left = left;
    this.right = right;
    this.loop = loop;
  }

  addLeft(corner: number): void {
    this.#chain.add(corner, true);
    if (this.#beyond === undefined) return;
    this.#chain = this.#beyond;
    this.#beyond = undefined;
    this.#chain.add(corner, true);
  }

  addRight(corner: number): void {
    this.#beyond?.add(corner, false);
    this.#beyond = undefined;
    this.#chain.add(corner, false);
  }

  /** Lets a hole begin: this gap ends at its left side, and the new one begins at its right. */
  split(corner: number, left: number, right: number, loop: number): Gap {
    const beyond = this.#splitChain(corner);
    const gap = new Gap(this.#triangles, beyond, right, this.right, this.loop);
    gap.next = this.next;
    this.next = gap;
    this.right = left;
    this.loop = loop;
    return gap;
  }

  #splitChain(corner: number): Chain {
    const chain = this.#chain;
    const beyond = this.#beyond;
    const { isLeft, last } = chain;
    if (beyond !== undefined) {
      this.#beyond = undefined;
      chain.add(corner, false);
      beyond.add(corner, true);
      return beyond;
    }
    chain.add(corner, isLeft);
    const other = new Chain(this.#triangles, [last, corner], !isLeft);
    if (!isLeft) return other;
    this.#chain = other;
    return chain;
  }

  /** Lets the hole between this gap and the next end. */
  join(corner: number, next: Gap): void {
    this.addRight(corner);
    next.addLeft(corner);
    this.#beyond = next.#chain;
    this.right = next.right;
    this.loop = next.loop;
    this.next = next.next;
  }

  /** Ends the gap at the highest corner of all. */
  close(corner: number): void {
    this.#chain.add(corner, !this.#chain.isLeft);
    this.#beyond?.add(corner, !this.#beyond.isLeft);
  }
}
