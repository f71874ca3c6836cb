import { clipTo } from "./clip.ts";
import { type Contour, contourOf } from "./contour.ts";
import type { Rounded } from "./convex.ts";
import type { Rect } from "./lattice.ts";
import type { Layout } from "./layout.ts";
import type { Params } from "./params.ts";
import type { Hole } from "./shapes.ts";

/** What a cutter follows: each hole as a circle or a contour, and the outline, in mm. */
export type Drawing = {
  readonly cuts: readonly Cut[];
  readonly outline: Rect;
};

export type Cut =
  | { readonly kind: "circle"; readonly x: number; readonly y: number; readonly radius: number }
  | { readonly kind: "contour"; readonly contour: Contour };

/**
 * The lines to cut along: by half of the kerf inside of each hole and outside of the outline, so that the part has its
 * nominal size. A hole that the kerf fills has no line.
 */
export function draw(params: Params, { holes, bounds }: Layout): Drawing {
  const by = params.kerf / 2;
  const inside = { x0: bounds.x0 + by, y0: bounds.y0 + by, x1: bounds.x1 - by, y1: bounds.y1 - by };
  const cuts: Cut[] = [];
  for (const hole of holes) {
    const region = insetBy(hole, by);
    const cut = region && cutOf(region, hole, inside);
    if (cut !== undefined) cuts.push(cut);
  }
  return { cuts, outline: { x0: -by, y0: -by, x1: params.width + by, y1: params.height + by } };
}

/** A hole less a rim is the whole shape less the rim, clipped to the border less the rim. */
function cutOf(region: Rounded, { x, y, clipped }: Hole, inside: Rect): Cut | undefined {
  if (region.core.length === 2 && !clipped) return { kind: "circle", x, y, radius: region.radius };
  const contour = contourOf(region, x, y);
  if (!clipped) return { kind: "contour", contour };
  const rest = clipTo(contour, inside);
  return rest.length === 0 ? undefined : { kind: "contour", contour: rest };
}

/** A hole's region less a rim, in mm; undefined when nothing is left. Past its fillets a polygon's core shrinks. */
function insetBy({ region, size }: Hole, by: number): Rounded | undefined {
  const { core, radius } = region;
  if (by < radius || by === 0) return { core, radius: radius - by };
  if (core.length < 6 || by >= size) return undefined;
  const scale = (size - by) / (size - radius);
  return { core: core.map((value) => value * scale), radius: 0 };
}
