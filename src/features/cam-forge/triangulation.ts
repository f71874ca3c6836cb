import { Chain } from "./chain.ts";
import { Gap } from "./gap.ts";
import type { Loops } from "./loops.ts";
import { Triangles } from "./triangles.ts";

/** More than any coordinate in grid steps: corners come in the order of y, then of x. */
const Y_WEIGHT = 2 ** 24;

/**
 * Triangles that fill the panel around its holes: corner indices, three for each, counter-clockwise seen from above.
 * The first loop is the outline, a rectangle, clockwise; the others are holes, counter-clockwise, convex and without
 * straight corners. They must not touch each other.
 *
 * A line sweeps the panel from below. Each gap between the holes on the line is triangulated on the way; where a hole
 * begins a gap is split, and where it ends two are joined (de Berg et al., Computational Geometry, chapter 3). Level
 * corners have an order, as for a line tilted by next to nothing: so no triangle is without area.
 */
export function triangulate(loops: Loops): Uint32Array {
  return new Sweep(loops).run();
}

class Sweep {
  readonly #triangles: Triangles;
  readonly #keys: Float64Array;
  readonly #next: Uint32Array;
  readonly #previous: Uint32Array;
  readonly #loopCount: number;
  readonly #lowest: Uint32Array;
  readonly #highest: Uint32Array;
  /** The gap on the left of each hole that the line crosses. */
  readonly #leftOf: (Gap | undefined)[] = [];
  readonly #first: Gap;

  constructor({ xy, starts }: Loops) {
    const count = xy.length / 2;
    this.#loopCount = starts.length - 1;
    this.#triangles = new Triangles(xy, count + 2 * this.#loopCount - 4);
    this.#keys = new Float64Array(count);
    for (let k = 0; k < count; k++)
      this.#keys[k] = (xy[2 * k + 1] as number) * Y_WEIGHT + (xy[2 * k] as number);
    this.#next = new Uint32Array(count);
    this.#previous = new Uint32Array(count);
    this.#lowest = new Uint32Array(this.#loopCount);
    this.#highest = new Uint32Array(this.#loopCount);
    for (let loop = 0; loop < this.#loopCount; loop++) {
      this.#link(loop, starts[loop] as number, starts[loop + 1] as number);
    }
    const bottom = this.#lowest[0] as number;
    const chain = new Chain(this.#triangles, [bottom], true);
    this.#first = new Gap(this.#triangles, chain, this.#up(bottom), this.#upRight(bottom), 0);
  }

  run(): Uint32Array {
    for (const event of this.#events()) {
      const loop = event >> 1;
      if (event % 2 === 0) this.#begin(loop, this.#lowest[loop] as number);
      else this.#end(loop, this.#highest[loop] as number);
    }
    const top = this.#highest[0] as number;
    this.#advance(this.#first, top);
    this.#first.close(top);
    return this.#triangles.corners;
  }

  #link(loop: number, start: number, end: number): void {
    let lowest = start;
    let highest = start;
    for (let corner = start, previous = end - 1; corner < end; previous = corner++) {
      this.#next[previous] = corner;
      this.#previous[corner] = previous;
      if (this.#key(corner) < this.#key(lowest)) lowest = corner;
      if (this.#key(corner) > this.#key(highest)) highest = corner;
    }
    this.#lowest[loop] = lowest;
    this.#highest[loop] = highest;
  }

  /** Where holes begin (twice the loop) and end (that and one), from below. */
  #events(): number[] {
    const events: number[] = [];
    const keys: number[] = [0, 0];
    for (let loop = 1; loop < this.#loopCount; loop++) {
      events.push(2 * loop, 2 * loop + 1);
      keys.push(this.#key(this.#lowest[loop] as number), this.#key(this.#highest[loop] as number));
    }
    return events.sort((a, b) => (keys[a] as number) - (keys[b] as number));
  }

  #key(corner: number): number {
    return this.#keys[corner] as number;
  }

  /** The next corner up the left side of a gap: loops have the solid on their right. */
  #up(corner: number): number {
    return this.#next[corner] as number;
  }

  #upRight(corner: number): number {
    return this.#previous[corner] as number;
  }

  #begin(loop: number, corner: number): void {
    const gap = this.#gapAt(corner);
    this.#advance(gap, corner);
    const beyond = gap.split(corner, this.#upRight(corner), this.#up(corner), loop);
    this.#leftOf[beyond.loop] = beyond;
    this.#leftOf[loop] = gap;
  }

  #end(loop: number, corner: number): void {
    const gap = this.#leftOf[loop] as Gap;
    const next = gap.next as Gap;
    this.#advance(gap, corner);
    this.#advance(next, corner);
    gap.join(corner, next);
    this.#leftOf[gap.loop] = gap;
  }

  /** A hole that the line crosses lies, there, on the line between its lowest and highest corner. */
  #gapAt(corner: number): Gap {
    let gap = this.#first;
    while (gap.loop !== 0) {
      const low = this.#lowest[gap.loop] as number;
      if (this.#triangles.turn(low, this.#highest[gap.loop] as number, corner) > 0) break;
      gap = gap.next as Gap;
    }
    return gap;
  }

  /** Takes up the corners on both sides of a gap that are lower than a corner. */
  #advance(gap: Gap, corner: number): void {
    const until = this.#key(corner);
    for (;;) {
      const { left, right } = gap;
      const isLeft = this.#key(left) < this.#key(right);
      if (this.#key(isLeft ? left : right) >= until) return;
      if (isLeft) {
        gap.addLeft(left);
        gap.left = this.#up(left);
      } else {
        gap.addRight(right);
        gap.right = this.#upRight(right);
      }
    }
  }
}
