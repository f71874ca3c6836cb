import { cornersAlong } from "./chords.ts";
import { clipTo } from "./clip.ts";
import { contourOf, measureContour } from "./contour.ts";
import { gapBetween, type Rounded } from "./convex.ts";
import type { Layout } from "./layout.ts";
import type { Params } from "./params.ts";
import { type Hole, movedTo, reachOf, regionOf } from "./shapes.ts";

/** How near the polygons are to a clipped hole's true arcs when its web to another is measured, mm. */
const WEB_TOLERANCE_MM = 0.0002;

/** Measures of the true curves of a panel, whatever the mesh makes of them. */
export type Statistics = {
  readonly openAreaMm2: number;
  /** Length of all hole contours and the outline. */
  readonly cutLengthMm: number;
  /** Narrowest web between two holes; null under two. */
  readonly minWebMm: number | null;
};

export function measure(params: Params, layout: Layout): Statistics {
  let openAreaMm2 = 0;
  let cutLengthMm = 2 * (params.width + params.height);
  for (const hole of layout.holes) {
    const { area, length } = hole.clipped ? clippedMeasures(params, hole, layout) : measuresOf(params, hole);
    openAreaMm2 += area;
    cutLengthMm += length;
  }
  return { openAreaMm2, cutLengthMm, minWebMm: narrowestWeb(params, layout) };
}

function clippedMeasures(params: Params, { x, y, size, turn }: Hole, { bounds }: Layout): Measures {
  return measureContour(clipTo(contourOf(regionOf(params, size, turn), x, y), bounds));
}

type Measures = { readonly area: number; readonly length: number };

/** Steiner's formula: a core of area A and perimeter P grown by r has area A + P r + pi r^2 and perimeter P + 2 pi r. */
function measuresOf(params: Params, { size, turn }: Hole): Measures {
  const { core, radius } = regionOf(params, size, turn);
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
function narrowestWeb(params: Params, layout: Layout): number | null {
  const { holes } = layout;
  const regions = holes.map((hole) => regionOf(params, hole.size, hole.turn));
  const reaches = regions.map(reachOf);
  let narrowest = Infinity;
  for (const [a, hole] of holes.entries()) {
    for (let b = a + 1; b < holes.length; b++) {
      const other = holes[b] as Hole;
      const dx = other.x - hole.x;
      const dy = other.y - hole.y;
      const least = narrowest + (reaches[a] as number) + (reaches[b] as number);
      if (dx * dx + dy * dy >= least * least) continue;
      const whole = gapBetween(regions[a] as Rounded, movedTo(regions[b] as Rounded, dx, dy));
      if (whole >= narrowest) continue;
      narrowest = Math.min(
        narrowest,
        hole.clipped || other.clipped ? clippedWeb(params, layout, hole, other, whole) : whole,
      );
    }
  }
  return narrowest === Infinity ? null : narrowest;
}

/** The web between two holes of which one or both are clipped: no narrower than between the whole ones. */
function clippedWeb(params: Params, { bounds }: Layout, a: Hole, b: Hole, whole: number): number {
  const [core, other] = [a, b].map(({ x, y, size, turn, clipped }) => {
    const contour = contourOf(regionOf(params, size, turn), x, y);
    return cornersAlong(clipped ? clipTo(contour, bounds) : contour, WEB_TOLERANCE_MM);
  }) as [Float64Array, Float64Array];
  return Math.max(whole, gapBetween({ core, radius: 0 }, { core: other, radius: 0 }));
}
