import { cornersAlong } from "./chords.ts";
import { clipTo } from "./clip.ts";
import { type Contour, contourOf, measureContour } from "./contour.ts";
import { gapBetween, type Rounded } from "./convex.ts";
import type { Rect } from "./lattice.ts";
import type { Layout } from "./layout.ts";
import type { Params } from "./params.ts";
import { eachNearPair } from "./pairs.ts";
import { type Hole, movedTo, reachOf } from "./shapes.ts";

/** How near the polygons are to a clipped hole's true arcs when its web to another is measured, mm. */
const WEB_TOLERANCE_MM = 0.0002;

/** Offsets on a lattice that agree to this many parts of one mm are one; a panel's side has fewer than `MOST_OFFSETS`. */
const OFFSETS_PER_MM = 1e4;
const MOST_OFFSETS = 2 ** 26;

/** Measures of the true curves of a panel, whatever the mesh makes of them. */
export type Statistics = {
  readonly openAreaMm2: number;
  /** Length of all hole contours and the outline. */
  readonly cutLengthMm: number;
  /** Narrowest web between two holes; null under two. */
  readonly minWebMm: number | null;
};

export function measure({ width, height }: Params, { holes, bounds }: Layout): Statistics {
  let openAreaMm2 = 0;
  let cutLengthMm = 2 * (width + height);
  for (const hole of holes) {
    const { area, length } = hole.clipped
      ? measureContour(contourIn(bounds, hole))
      : measureRegion(hole.region);
    openAreaMm2 += area;
    cutLengthMm += length;
  }
  return { openAreaMm2, cutLengthMm, minWebMm: narrowestWeb(holes, bounds) };
}

/** The contour of a hole as far as it lies within the bounds. */
function contourIn(bounds: Rect, { region, x, y, clipped }: Hole): Contour {
  const whole = contourOf(region, x, y);
  return clipped ? clipTo(whole, bounds) : whole;
}

/** Steiner's formula: a core of area A and perimeter P grown by r has area A + P r + pi r^2 and perimeter P + 2 pi r. */
function measureRegion({ core, radius }: Rounded): { area: number; length: number } {
  let doubled = 0;
  let perimeter = 0;
  for (let k = 0, p = core.length - 2; k < core.length; p = k, k += 2) {
    const [px, py, x, y] = [core[p], core[p + 1], core[k], core[k + 1]] as [number, number, number, number];
    doubled += px * y - x * py;
    perimeter += Math.sqrt((x - px) * (x - px) + (y - py) * (y - py));
  }
  return {
    area: doubled / 2 + perimeter * radius + Math.PI * radius * radius,
    length: perimeter + 2 * Math.PI * radius,
  };
}

/** The least gap of all pairs; a pair that cannot beat the least so far is passed over by its distance alone. */
function narrowestWeb(holes: readonly Hole[], bounds: Rect): number | null {
  const reaches = holes.map(({ region }) => reachOf(region));
  const furthest = 2 * Math.max(0, ...reaches);
  const known = new GapsByOffset();
  let narrowest = Infinity;
  const compare = (a: number, b: number): void => {
    const [hole, other] = [holes[a], holes[b]] as [Hole, Hole];
    const dx = other.x - hole.x;
    const dy = other.y - hole.y;
    const least = narrowest + (reaches[a] as number) + (reaches[b] as number);
    if (dx * dx + dy * dy >= least * least) return;
    const whole = known.gap(hole.region, other.region, dx, dy);
    if (whole >= narrowest) return;
    narrowest =
      hole.clipped || other.clipped ? Math.min(narrowest, clippedWeb(bounds, hole, other, whole)) : whole;
  };
  eachNearPair(holes, () => narrowest + furthest, compare);
  return narrowest === Infinity ? null : narrowest;
}

/** Gaps between holes that share a region, which on a lattice are the same few over and over. */
class GapsByOffset {
  readonly #gaps = new Map<number, number>();

  gap(a: Rounded, b: Rounded, dx: number, dy: number): number {
    if (a !== b) return gapBetween(a, movedTo(b, dx, dy));
    const key = Math.round(dx * OFFSETS_PER_MM) * MOST_OFFSETS + Math.round(dy * OFFSETS_PER_MM);
    const known = this.#gaps.get(key);
    if (known !== undefined) return known;
    const gap = gapBetween(a, movedTo(b, dx, dy));
    this.#gaps.set(key, gap);
    return gap;
  }
}

/** The web between two holes of which one or both are clipped: no narrower than between the whole ones. */
function clippedWeb(bounds: Rect, a: Hole, b: Hole, whole: number): number {
  const core = cornersAlong(contourIn(bounds, a), WEB_TOLERANCE_MM);
  const other = cornersAlong(contourIn(bounds, b), WEB_TOLERANCE_MM);
  return Math.max(whole, gapBetween({ core, radius: 0 }, { core: other, radius: 0 }));
}
