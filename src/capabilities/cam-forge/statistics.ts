import { gapBetween } from "./convex.ts";
import type { Params } from "./params.ts";
import { type Hole, movedTo, regionOf } from "./shapes.ts";

/** Measures of the true curves of a panel, whatever the mesh makes of them. */
export type Statistics = {
  readonly openAreaMm2: number;
  /** Length of all hole contours and the outline. */
  readonly cutLengthMm: number;
  /** Narrowest web between two holes; null under two. */
  readonly minWebMm: number | null;
};

export function measure(params: Params, holes: readonly Hole[]): Statistics {
  let openAreaMm2 = 0;
  let cutLengthMm = 2 * (params.width + params.height);
  for (const { size, turn } of holes) {
    const { core, radius } = regionOf(params, size, turn);
    const { area, perimeter } = polygonMeasures(core);
    openAreaMm2 += area + perimeter * radius + Math.PI * radius * radius;
    cutLengthMm += perimeter + 2 * Math.PI * radius;
  }
  return { openAreaMm2, cutLengthMm, minWebMm: narrowestWeb(params, holes) };
}

function polygonMeasures(core: Float64Array): { area: number; perimeter: number } {
  let doubled = 0;
  let perimeter = 0;
  for (let k = 0, p = core.length - 2; k < core.length; p = k, k += 2) {
    const [px, py, x, y] = [core[p], core[p + 1], core[k], core[k + 1]] as [number, number, number, number];
    doubled += px * y - x * py;
    perimeter += Math.sqrt((x - px) * (x - px) + (y - py) * (y - py));
  }
  return { area: doubled / 2, perimeter };
}

function narrowestWeb(params: Params, holes: readonly Hole[]): number | null {
  const regions = holes.map((hole) => regionOf(params, hole.size, hole.turn));
  const reaches = regions.map(({ core, radius }) => radius + Math.max(...core.map(Math.abs)) * Math.SQRT2);
  let narrowest = Infinity;
  for (const [a, hole] of holes.entries()) {
    for (let b = a + 1; b < holes.length; b++) {
      const other = holes[b] as Hole;
      const dx = other.x - hole.x;
      const dy = other.y - hole.y;
      const least = narrowest + (reaches[a] as number) + (reaches[b] as number);
      if (dx * dx + dy * dy >= least * least) continue;
      const gap = gapBetween(regions[a] as never, movedTo(regions[b] as never, dx, dy));
      narrowest = Math.min(narrowest, gap);
    }
  }
  return narrowest === Infinity ? null : narrowest;
}
