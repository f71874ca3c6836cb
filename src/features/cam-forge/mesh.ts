import { CHORD_TOLERANCE_MM, cornersAlong, cornersOf } from "./chords.ts";
import { clipTo } from "./clip.ts";
import { contourOf } from "./contour.ts";
import type { Rounded } from "./convex.ts";
import type { Rect } from "./lattice.ts";
import type { Layout } from "./layout.ts";
import { convexOnGrid, LoopList, type Loops, snapped } from "./loops.ts";
import type { Params } from "./params.ts";
import type { Hole } from "./shapes.ts";

/** The polygons that a panel's mesh stands on: the outline clockwise, then each hole counter-clockwise. */
export function loopsOf(params: Params, { holes, bounds }: Layout): Loops {
  const loops = new LoopList();
  const { width, height } = params;
  loops.add(snapped(Float64Array.of(0, 0, 0, height, width, height, width, 0)), 0, 0);
  const polygons = new Map<Rounded, Float64Array>();
  for (const hole of holes) {
    if (hole.clipped) {
      loops.add(convexOnGrid(clippedCorners(hole, bounds)), 0, 0);
      continue;
    }
    const polygon = polygons.get(hole.region) ?? convexOnGrid(cornersOf(hole.region));
    polygons.set(hole.region, polygon);
    loops.add(polygon, hole.x, hole.y);
  }
  return loops.build();
}

/** Corners of equal area stand a little off their arc; near the border that must not take them past it. */
function clippedCorners({ region, x, y }: Hole, bounds: Rect): Float64Array {
  const contour = clipTo(contourOf(region, x, y), bounds);
  const { x0, y0, x1, y1 } = bounds;
  return cornersAlong(contour, CHORD_TOLERANCE_MM).map((value, index) =>
    index % 2 === 0 ? Math.min(x1, Math.max(x0, value)) : Math.min(y1, Math.max(y0, value)),
  );
}
