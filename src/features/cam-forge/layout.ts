import { clipTo } from "./clip.ts";
import { contourOf, measureContour } from "./contour.ts";
import { gapBetween, type Rounded } from "./convex.ts";
import { type Cell, cellsOf, innerRect, ON_LINE_MM, type Rect } from "./lattice.ts";
import { eachNearPair } from "./pairs.ts";
import type { Params } from "./params.ts";
import { randomAt } from "./random.ts";
import { type Hole, movedTo, reachOf, regionOf } from "./shapes.ts";
import { largestSize, lastThatFits } from "./size.ts";

/** Material that stays between a hole and the outline whatever the margin, mm. */
const LEAST_BORDER_MM = 0.2;

/** A hole narrower than this cannot be made by any process; it is left out, mm. */
const NARROWEST_HOLE_MM = 0.01;

/** A clipped hole of which less than this is left is dropped. */
const LEAST_REMAINING = 0.2;

/** How much of its size a hole can lose to the scale jitter. */
const MOST_SHRINK = 0.8;

export type Layout = {
  /** Lattice cells in the inner rectangle, with a hole or without. */
  readonly total: number;
  /** The holes that are cut, in the order of their cells. */
  readonly holes: readonly Hole[];
  /** What clipped holes are clipped to. */
  readonly bounds: Rect;
};

/**
 * The holes of a panel: cells, thinned by density, jittered, shrunk where jitter left a web under `wall`, and dropped or
 * clipped at the border.
 */
export function layOut(params: Params): Layout {
  const cells = cellsOf(params);
  const bounds = innerRect(params, Math.max(params.margin, LEAST_BORDER_MM));
  const turn = (params.rot % 360) * (Math.PI / 180);
  const size = largestSize(params, turn);
  const region = regionOf(params, size, turn);
  const placed = thinned(params, cells).map((cell): Hole => ({
    ...cell,
    turn,
    size,
    region,
    clipped: false,
  }));
  const holes = jitteredAll(params, placed)
    .filter((hole) => 2 * hole.size >= NARROWEST_HOLE_MM)
    .flatMap((hole) => atBorder(params, hole, bounds));
  return { total: cells.length, holes, bounds };
}

/** The cells that keep their hole: those of the lowest hash, so that a lower density keeps a part of the same ones. */
function thinned({ density, seed }: Params, cells: readonly Cell[]): readonly Cell[] {
  const kept = Math.round(density * cells.length);
  if (kept === cells.length) return cells;
  const rank = cells.map(({ i, j }) => randomAt(seed, i, j, "density"));
  const order = cells
    .map((_, index) => index)
    .sort((a, b) => (rank[a] as number) - (rank[b] as number) || a - b);
  const chosen = new Set(order.slice(0, kept));
  return cells.filter((_, index) => chosen.has(index));
}

function jitteredAll(params: Params, holes: readonly Hole[]): readonly Hole[] {
  if (params.jpos === 0 && params.jrot === 0 && params.jscale === 0) return holes;
  return withWebs(
    params,
    holes.map((hole) => jittered(params, hole)),
  );
}

/** A hole with an offset (even over a disc), turn and scale of its own. */
function jittered(params: Params, hole: Hole): Hole {
  const { i, j } = hole;
  const { seed, jpos, jrot, jscale, pitch, wall } = params;
  const distance = ((jpos * (pitch - wall)) / 4) * Math.sqrt(randomAt(seed, i, j, "distance"));
  const direction = 2 * Math.PI * randomAt(seed, i, j, "direction");
  const turn = hole.turn + (2 * randomAt(seed, i, j, "turn") - 1) * jrot * (Math.PI / 180);
  const size = hole.size * (1 - MOST_SHRINK * jscale * randomAt(seed, i, j, "scale"));
  const x = hole.x + distance * Math.cos(direction);
  const y = hole.y + distance * Math.sin(direction);
  return { ...hole, x, y, turn, size, region: regionOf(params, size, turn) };
}

/**
 * Both holes of a pair with a web under `wall` shrink by the factor that makes it `wall`; a hole in several such pairs
 * by the least. A smaller hole lies within the larger, so no web gets narrower, whatever the order of the pairs.
 */
function withWebs(params: Params, holes: readonly Hole[]): Hole[] {
  const factors = new Float64Array(holes.length).fill(1);
  const reaches = holes.map(({ region }) => reachOf(region));
  const furthest = 2 * Math.max(0, ...reaches) + params.wall;
  const shrink = (a: number, b: number): void => {
    const [hole, other] = [holes[a], holes[b]] as [Hole, Hole];
    const near = (reaches[a] as number) + (reaches[b] as number) + params.wall;
    if ((other.x - hole.x) ** 2 + (other.y - hole.y) ** 2 >= near * near) return;
    const factor = sharedFactor(params, hole, other);
    factors[a] = Math.min(factors[a] as number, factor);
    factors[b] = Math.min(factors[b] as number, factor);
  };
  eachNearPair(holes, () => furthest, shrink);
  return holes.map((hole, index) => {
    const factor = factors[index] as number;
    if (factor === 1) return hole;
    return { ...hole, size: hole.size * factor, region: regionOf(params, hole.size * factor, hole.turn) };
  });
}

function sharedFactor(params: Params, a: Hole, b: Hole): number {
  const slack = (factor: number): number => {
    const region = regionOf(params, a.size * factor, a.turn);
    const other = movedTo(regionOf(params, b.size * factor, b.turn), b.x - a.x, b.y - a.y);
    return gapBetween(region, other) - params.wall;
  };
  return lastThatFits(slack, 1);
}

/**
 * The hole as the border leaves it: itself, clipped, or nothing. Its centre has to lie within the margin, as that of its
 * cell; what stays between it and the outline where the margin is less is taken off by the clipping alone.
 */
function atBorder(params: Params, hole: Hole, bounds: Rect): Hole[] {
  if (isWithin(hole.region, hole, bounds)) return [hole];
  if (params.borderMode === "drop" || !isWithin(POINT, hole, innerRect(params, params.margin))) return [];
  const whole = contourOf(hole.region, hole.x, hole.y);
  const remaining = measureContour(clipTo(whole, bounds)).area / measureContour(whole).area;
  return remaining < LEAST_REMAINING ? [] : [{ ...hole, clipped: true }];
}

const POINT: Rounded = { core: new Float64Array(2), radius: 0 };

/** Whether a region moved to a hole's centre stays within a rectangle; touching it counts as within. */
function isWithin({ core, radius }: Rounded, { x, y }: Hole, rect: Rect): boolean {
  const reach = radius - ON_LINE_MM;
  for (let k = 0; k < core.length; k += 2) {
    const px = x + (core[k] as number);
    const py = y + (core[k + 1] as number);
    if (px - reach < rect.x0 || px + reach > rect.x1 || py - reach < rect.y0 || py + reach > rect.y1) {
      return false;
    }
  }
  return true;
}
