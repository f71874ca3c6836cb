import { gapBetween } from "./convex.ts";
import { neighbourVectors } from "./lattice.ts";
import type { Params } from "./params.ts";
import { movedTo, reachOf, regionOf } from "./shapes.ts";

/** A web this much over what it should be is right, mm. */
const EXACT_MM = 1e-11;

/** Enough steps to halve an interval of doubles away. */
const MOST_STEPS = 120;

type Sizing = Pick<Params, "shape" | "cornerR" | "aspect" | "lattice" | "pitch" | "wall">;

/**
 * The largest size of a hole (see `regionOf`), in mm, for which no web between neighbours of the unjittered lattice is
 * narrower than `wall`, at this turn in radians. Exact to rounding.
 */
export function largestSize(params: Sizing, turn: number): number {
  let size = params.pitch;
  for (const vector of neighbourVectors(params)) {
    // The vectors come shortest first: past this length no hole of the size found so far can reach.
    const reach = 2 * reachOf(regionOf(params, size, turn)) + params.wall;
    if (vector.x * vector.x + vector.y * vector.y >= reach * reach) break;
    const slack = (candidate: number): number => {
      const hole = regionOf(params, candidate, turn);
      return gapBetween(hole, movedTo(hole, vector.x, vector.y)) - params.wall;
    };
    size = lastThatFits(slack, size);
  }
  return size;
}

/**
 * The largest number up to `most` whose slack is not negative, where slack falls and is not negative at zero. False
 * position, with a halving every third step for slacks that bend or jump.
 */
export function lastThatFits(slack: (candidate: number) => number, most: number): number {
  let high = most;
  let over = slack(most);
  if (over >= 0) return most;
  let low = 0;
  let under = slack(0);
  for (let step = 1; step <= MOST_STEPS && under > EXACT_MM; step++) {
    const half = (low + high) / 2;
    if (half <= low || half >= high) break;
    const chord = low + (under / (under - over)) * (high - low);
    const middle = step % 3 === 0 || chord <= low || chord >= high ? half : chord;
    const found = slack(middle);
    if (found >= 0) [low, under] = [middle, found];
    else [high, over] = [middle, found];
  }
  return low;
}
