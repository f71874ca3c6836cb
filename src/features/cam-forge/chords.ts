import { arcOf, type Contour, waysOf } from "./contour.ts";
import type { Rounded } from "./convex.ts";

/** How far the mesh may leave a true arc, mm. The contract allows 0.02; the rest is room for the grid. */
export const CHORD_TOLERANCE_MM = 0.018;

/** Fewest corners of a full turn, so that a tiny circle is still round. */
const FEWEST_CORNERS = 12;

/** Sweeps of a regular polygon's fillets differ by rounding alone, radians. */
const SAME_SWEEP = 1e-9;

/**
 * A rounded region as a polygon of corners x, y, x, y ... in mm, counter-clockwise. Flats lie on the true flats, the
 * polygon has the area of the true region, and no corner or chord is further than the tolerance from the true curve.
 */
export function cornersOf({ core, radius }: Rounded): Float64Array {
  if (radius === 0) return core;
  if (core.length === 2) return circleCorners(core[0] as number, core[1] as number, radius);
  const points: number[] = [];
  let arc: Fillet | undefined;
  for (let k = 0; k < core.length; k += 2) {
    const from = normalAngle(core, (k + core.length - 2) % core.length, k);
    const to = normalAngle(core, k, (k + 2) % core.length);
    const sweep = to > from ? to - from : to - from + 2 * Math.PI;
    if (arc === undefined || Math.abs(sweep - arc.sweep) > SAME_SWEEP) arc = filletCorners(sweep, radius);
    for (let m = 0; m < arc.count; m++) {
      const angle = from + arc.lead + m * arc.step;
      points.push(
        (core[k] as number) + arc.radius * Math.cos(angle),
        (core[k + 1] as number) + arc.radius * Math.sin(angle),
      );
    }
  }
  return Float64Array.from(points);
}

/** The direction, in radians, of the outward normal of the edge from one corner to another. */
function normalAngle(core: Float64Array, from: number, to: number): number {
  const dx = (core[to] as number) - (core[from] as number);
  const dy = (core[to + 1] as number) - (core[from + 1] as number);
  return Math.atan2(-dx, dy);
}

/** A regular polygon of a circle's area: its corners stand off by R/r = sqrt(a / sin a), a being the step. */
function circleCorners(x: number, y: number, radius: number): Float64Array {
  const widest = Math.sqrt((12 * CHORD_TOLERANCE_MM) / radius);
  const count = Math.max(FEWEST_CORNERS, Math.ceil((2 * Math.PI) / widest));
  const step = (2 * Math.PI) / count;
  const reach = radius * Math.sqrt(step / Math.sin(step));
  const points = new Float64Array(2 * count);
  for (let k = 0; k < count; k++) {
    points[2 * k] = x + reach * Math.cos(k * step);
    points[2 * k + 1] = y + reach * Math.sin(k * step);
  }
  return points;
}

type Fillet = {
  readonly sweep: number;
  readonly count: number;
  readonly lead: number;
  readonly step: number;
  readonly radius: number;
};

/**
 * Corners that stand for a fillet of a sweep in radians between two flats: the first and last lie on the flats, `lead`
 * past where the arc begins, all at one distance from its centre.
 */
function filletCorners(sweep: number, radius: number): Fillet {
  // Corners stand off by about step^2 r / 12, and take a little less than one step more than there are of them.
  const about = Math.floor(sweep / Math.sqrt((12 * CHORD_TOLERANCE_MM) / radius));
  const fewest = Math.max(fewestFor(sweep), about);
  for (let count = fewest; ; count++) {
    const lead = leadOfEqualArea(sweep, count);
    const reach = radius / Math.cos(lead);
    if (reach - radius <= CHORD_TOLERANCE_MM) {
      return { sweep, count, lead, step: (sweep - 2 * lead) / (count - 1), radius: reach };
    }
  }
}

/** The fewest corners of a fillet, or chords of an arc, of a sweep in radians; rounding of the sweep adds none. */
const fewestFor = (sweep: number): number =>
  Math.max(2, Math.ceil((FEWEST_CORNERS * (sweep - SAME_SWEEP)) / (2 * Math.PI)));

/** The lead for which the corners enclose the arc's area: the root of (n - 1) sin(step) / cos(lead)^2 + 2 tan(lead) = sweep. */
function leadOfEqualArea(sweep: number, count: number): number {
  let low = 0;
  let high = sweep / (2 * count);
  for (let halving = 0; halving < 50; halving++) {
    const lead = (low + high) / 2;
    const step = (sweep - 2 * lead) / (count - 1);
    const area = ((count - 1) * Math.sin(step)) / Math.cos(lead) ** 2 + 2 * Math.tan(lead);
    if (area < sweep) low = lead;
    else high = lead;
  }
  return low;
}

/**
 * A contour as a polygon: every corner of it, and between the ends of each arc further ones that enclose the arc's area
 * within the tolerance in mm.
 */
export function cornersAlong(contour: Contour, tolerance: number): Float64Array {
  const points: number[] = [];
  for (const way of waysOf(contour)) {
    points.push(way.x, way.y);
    if (way.bulge === 0) continue;
    const { x, y, radius, start, sweep } = arcOf(way);
    const count = chordsOf(sweep, radius, tolerance);
    const reach = radius * reachOfEqualArea(sweep, count);
    for (let k = 1; k < count; k++) {
      const angle = start + (k * sweep) / count;
      points.push(x + reach * Math.cos(angle), y + reach * Math.sin(angle));
    }
  }
  return Float64Array.from(points);
}

/** Chords for an arc: the inner corners stand off by about sweep^2 r / (12 n (n - 1)), which is the tolerance at most. */
function chordsOf(sweep: number, radius: number, tolerance: number): number {
  return Math.max(
    fewestFor(sweep),
    Math.ceil(0.5 + Math.sqrt(0.25 + (sweep * sweep * radius) / (12 * tolerance))),
  );
}

/**
 * How far, in radii, the inner corners of an arc of unit radius in `count` chords stand off its centre for the chords to
 * enclose the arc's area: the root of sin(step) (2 R + (count - 2) R^2) = sweep, the end corners being on the arc.
 */
function reachOfEqualArea(sweep: number, count: number): number {
  const area = sweep / Math.sin(sweep / count);
  const inner = count - 2;
  return inner === 0 ? area / 2 : (Math.sqrt(1 + inner * area) - 1) / inner;
}
