import { gapBetween } from "./convex.ts";
import { neighbourVectors } from "./lattice.ts";
import type { Params } from "./params.ts";
import { movedTo, regionOf } from "./shapes.ts";

/** Halvings of an interval until doubles resolve it no further. */
const HALVINGS = 60;

type Sizing = Pick<Params, "shape" | "cornerR" | "aspect" | "lattice" | "pitch" | "wall">;

/**
 * The largest size of a hole (see `regionOf`), in mm, for which no web between neighbours of the unjittered lattice is
 * narrower than `wall`, at this turn in radians. Exact to rounding.
 */
export function largestSize(params: Sizing, turn: number): number {
  let size = params.pitch;
  for (const vector of neighbourVectors(params)) {
    const fits = (candidate: number): boolean => {
      const hole = regionOf(params, candidate, turn);
      return gapBetween(hole, movedTo(hole, vector.x, vector.y)) >= params.wall;
    };
    if (!fits(size)) size = lastThatFits(fits, size);
  }
  return size;
}

/** The largest number under `above` that fits, where everything smaller fits too and zero always does. */
export function lastThatFits(fits: (candidate: number) => boolean, above: number): number {
  let low = 0;
  let high = above;
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
