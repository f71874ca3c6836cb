import type { Triangles } from "./triangles.ts";

/**
 * The corners of a monotone piece that still lack triangles, from the lowest up. All but the first lie on one side of
 * the piece and bulge into it; the first is the last so far of the other side, or where the piece begins.
 */
export class Chain {
  readonly #triangles: Triangles;
  readonly #waiting: number[];
  #count: number;
  #isLeft: boolean;

  constructor(triangles: Triangles, corners: number[], isLeft: boolean) {
    this.#triangles = triangles;
    this.#waiting = corners;
    this.#count = corners.length;
    this.#isLeft = isLeft;
  }

  get isLeft(): boolean {
    return this.#isLeft;
  }

  get last(): number {
    return this.#waiting[this.#count - 1] as number;
  }

  /** Adds the next corner above, on either side. */
  add(corner: number, isLeft: boolean): void {
    if (isLeft === this.#isLeft) this.#cut(corner);
    else this.#fan(corner, isLeft);
  }

  /** On the same side: cuts off what does not bulge into the piece. */
  #cut(corner: number): void {
    const triangles = this.#triangles;
    const waiting = this.#waiting;
    let top = this.#count - 1;
    for (; top > 0; top--) {
      const below = waiting[top - 1] as number;
      const last = waiting[top] as number;
      const turn = triangles.turn(below, last, corner);
      if (this.#isLeft ? turn >= 0 : turn <= 0) break;
      if (this.#isLeft) triangles.add(below, corner, last);
      else triangles.add(below, last, corner);
    }
    waiting[top + 1] = corner;
    this.#count = top + 2;
  }

  /** On the other side: sees all that wait, and only the last of them is of use further up. */
  #fan(corner: number, isLeft: boolean): void {
    const waiting = this.#waiting;
    for (let k = 1; k < this.#count; k++) {
      const below = waiting[k - 1] as number;
      const above = waiting[k] as number;
      if (isLeft) this.#triangles.add(below, above, corner);
      else this.#triangles.add(below, corner, above);
    }
    waiting[0] = this.last;
    waiting[1] = corner;
    this.#count = 2;
    this.#isLeft = isLeft;
  }
}
