import type { Rounded } from "./convex.ts";
import { type Rect, cellsOf, innerRect, ON_LINE_MM } from "./lattice.ts";
import type { Params } from "./params.ts";
import { type Hole, regionOf } from "./shapes.ts";
import { largestSize } from "./size.ts";

/** Material that stays between a hole and the outline whatever the margin, mm. */
export const LEAST_BORDER_MM = 0.2;

/** A hole narrower than this cannot be made by any process; it is left out, mm. */
const NARROWEST_HOLE_MM = 0.01;

export type Layout = { readonly total: number; readonly holes: readonly Hole[] };

/** The holes of a panel, in the order of their cells. */
export function layOut(params: Params): Layout {
  const cells = cellsOf(params);
  const turn = (params.rot % 360) * (Math.PI / 180);
  const size = largestSize(params, turn);
  const inside = innerRect(params, Math.max(params.margin, LEAST_BORDER_MM));
  const region = regionOf(params, size, turn);
  if (2 * size < NARROWEST_HOLE_MM) return { total: cells.length, holes: [] };
  const holes = cells
    .map(({ i, j, x, y }) => ({ i, j, x, y, turn, size }))
    .filter((hole) => isWithin(region, hole, inside));
  return { total: cells.length, holes };
}

/** Whether a region moved to a hole's centre stays within a rectangle; touching it counts as within. */
function isWithin({ core, radius }: Rounded, { x, y }: Hole, rect: Rect): boolean {
  const reach = radius - ON_LINE_MM;
  for (let k = 0; k < core.length; k += 2) {
    const px = x + (core[k] as number);
    const py = y + (core[k + 1] as number);
    if (px - reach < rect.x0 || px + reach > rect.x1 || py - reach < rect.y0 || py + reach > rect.y1)
      return false;
  }
  return true;
}
