/** Steps of the grid that all mesh corners lie on, in one mm. A multiple of 1/16384 under 512 is exact in float32. */
export const STEPS_PER_MM = 2 ** 14;

/** Closed polygons on the grid: corner coordinates in steps, and where each polygon begins (and the last one ends). */
export type Loops = { readonly xy: Float64Array; readonly starts: Uint32Array };

/** Corners x, y ... in mm, each on the grid. */
export const snapped = (corners: Float64Array): Float64Array =>
  corners.map((value) => Math.round(value * STEPS_PER_MM));

/**
 * The corners of a convex counter-clockwise polygon in mm, on the grid, convex still: without repeated corners, and
 * without those that rounding has put on a straight line or into a dent.
 */
export const convexOnGrid = (corners: Float64Array): Float64Array =>
  withoutFlatCorners(withoutRepeats(snapped(corners)));

function withoutRepeats(xy: Float64Array): Float64Array {
  return keepCorners(xy, (k, previous) => xy[k] !== xy[previous] || xy[k + 1] !== xy[previous + 1]);
}

/** Runs again until nothing changes: a removed corner can make its neighbours straight. */
function withoutFlatCorners(xy: Float64Array): Float64Array {
  const bent = keepCorners(xy, (k, previous, next) => turnAt(xy, previous, k, next) > 0);
  return bent.length === xy.length ? xy : withoutFlatCorners(withoutRepeats(bent));
}

/** Twice the area of a triangle of corners, in square steps: exact, as all of it stays under 2^53. */
function turnAt(xy: Float64Array, a: number, b: number, c: number): number {
  const bx = at(xy, b) - at(xy, a);
  const by = at(xy, b + 1) - at(xy, a + 1);
  return bx * (at(xy, c + 1) - at(xy, a + 1)) - by * (at(xy, c) - at(xy, a));
}

function keepCorners(
  xy: Float64Array,
  keep: (k: number, previous: number, next: number) => boolean,
): Float64Array {
  const kept: number[] = [];
  for (let k = 0; k < xy.length; k += 2) {
    if (keep(k, (k + xy.length - 2) % xy.length, (k + 2) % xy.length)) kept.push(at(xy, k), at(xy, k + 1));
  }
  return kept.length === xy.length ? xy : Float64Array.from(kept);
}

const at = (numbers: Float64Array, index: number): number => numbers[index] as number;

/** Gathers polygons into `Loops`; a polygon can be put down many times at different places. */
export class LoopList {
  readonly #polygons: { readonly xy: Float64Array; readonly dx: number; readonly dy: number }[] = [];
  #length = 0;

  /** Adds a polygon on the grid, moved by a vector in mm that is rounded to the grid. */
  add(polygon: Float64Array, x: number, y: number): void {
    this.#polygons.push({ xy: polygon, dx: Math.round(x * STEPS_PER_MM), dy: Math.round(y * STEPS_PER_MM) });
    this.#length += polygon.length;
  }

  build(): Loops {
    const xy = new Float64Array(this.#length);
    const starts = new Uint32Array(this.#polygons.length + 1);
    let end = 0;
    for (const [index, polygon] of this.#polygons.entries()) {
      for (let k = 0; k < polygon.xy.length; k += 2) {
        xy[end++] = at(polygon.xy, k) + polygon.dx;
        xy[end++] = at(polygon.xy, k + 1) + polygon.dy;
      }
      starts[index + 1] = end / 2;
    }
    return { xy, starts };
  }
}
