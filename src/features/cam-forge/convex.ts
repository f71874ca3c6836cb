/**
 * A convex region as a core polygon grown by a disc: every point within `radius` of the core. One core point makes a
 * circle, two a stadium, more a polygon with true fillets.
 */
export type Rounded = {
  /** Corners x, y, x, y ... in mm, counter-clockwise. */
  readonly core: Float64Array;
  readonly radius: number;
};

/**
 * The web between two rounded regions in mm: exact when they are apart, negative when they overlap (then only its sign
 * and its growth with the overlap mean something).
 */
export function gapBetween(a: Rounded, b: Rounded): number {
  return coreDistance(a.core, b.core) - a.radius - b.radius;
}

function coreDistance(a: Float64Array, b: Float64Array): number {
  if (a.length === 2 && b.length === 2) {
    const dx = at(b, 0) - at(a, 0);
    const dy = at(b, 1) - at(a, 1);
    return Math.sqrt(dx * dx + dy * dy);
  }
  const separation = Math.max(separationAlong(a, b), separationAlong(b, a));
  if (separation < 0) return separation;
  if (a.length === 4 && b.length === 4 && segmentsCross(a, b)) return 0;
  return Math.sqrt(Math.min(nearestSquared(a, b), nearestSquared(b, a)));
}

/** How far `b` lies beyond the edge of `a` that separates them best; minus infinity where `a` has no inside. */
function separationAlong(a: Float64Array, b: Float64Array): number {
  let best = -Infinity;
  if (a.length < 6) return b.length < 6 ? 0 : best;
  for (let k = 0, p = a.length - 2; k < a.length; p = k, k += 2) {
    const ex = at(a, k) - at(a, p);
    const ey = at(a, k + 1) - at(a, p + 1);
    let least = Infinity;
    for (let v = 0; v < b.length; v += 2) {
      least = Math.min(least, ey * (at(b, v) - at(a, k)) - ex * (at(b, v + 1) - at(a, k + 1)));
    }
    best = Math.max(best, least / Math.sqrt(ex * ex + ey * ey));
  }
  return best;
}

/** The square of the shortest way from a corner of `b` to an edge of `a`. */
function nearestSquared(a: Float64Array, b: Float64Array): number {
  let best = Infinity;
  for (let k = 0, p = a.length - 2; k < a.length; p = k, k += 2) {
    const px = at(a, p);
    const py = at(a, p + 1);
    const ex = at(a, k) - px;
    const ey = at(a, k + 1) - py;
    const square = ex * ex + ey * ey;
    for (let v = 0; v < b.length; v += 2) {
      const vx = at(b, v) - px;
      const vy = at(b, v + 1) - py;
      const t = square === 0 ? 0 : Math.min(1, Math.max(0, (vx * ex + vy * ey) / square));
      const dx = vx - t * ex;
      const dy = vy - t * ey;
      best = Math.min(best, dx * dx + dy * dy);
    }
  }
  return best;
}

function segmentsCross(a: Float64Array, b: Float64Array): boolean {
  return straddles(a, b) && straddles(b, a);
}

function straddles(a: Float64Array, b: Float64Array): boolean {
  return sideOf(a, at(b, 0), at(b, 1)) * sideOf(a, at(b, 2), at(b, 3)) < 0;
}

function sideOf(line: Float64Array, x: number, y: number): number {
  const ex = at(line, 2) - at(line, 0);
  const ey = at(line, 3) - at(line, 1);
  return ex * (y - at(line, 1)) - ey * (x - at(line, 0));
}

const at = (numbers: Float64Array, index: number): number => numbers[index] as number;
