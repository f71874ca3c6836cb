import type { Rounded } from "./convex.ts";
import type { Params, Shape } from "./params.ts";

export type Form = Pick<Params, "shape" | "cornerR" | "aspect">;

/**
 * A hole: which cell it is of, its centre in mm, its turn in radians, its size and its region about its centre (see
 * `regionOf`), and whether the border clips it. Holes of one size and turn may share their region.
 */
export type Hole = {
  readonly i: number;
  readonly j: number;
  readonly x: number;
  readonly y: number;
  readonly turn: number;
  readonly size: number;
  readonly region: Rounded;
  readonly clipped: boolean;
};

/** Regular polygons: how many corners, and where the first one stands, in radians from the x axis. */
const POLYGONS: Partial<Record<Shape, { readonly corners: number; readonly first: number }>> = {
  hexagon: { corners: 6, first: Math.PI / 6 },
  square: { corners: 4, first: Math.PI / 4 },
  diamond: { corners: 4, first: 0 },
  triangle: { corners: 3, first: Math.PI / 2 },
};

/**
 * The region of a hole about the origin. `size` is the radius of the largest disc inside, in mm: half of a polygon's
 * or slot's width, a circle's radius. Fillets keep their radius at every size, but never more than the size.
 */
export function regionOf(form: Form, size: number, turn: number): Rounded {
  const polygon = POLYGONS[form.shape];
  if (polygon === undefined) {
    return {
      core: form.shape === "slot" ? slotCore(form.aspect, size, turn) : new Float64Array(2),
      radius: size,
    };
  }
  const radius = Math.min(form.cornerR, size);
  return { core: polygonCore(polygon.corners, polygon.first + turn, size - radius), radius };
}

function slotCore(aspect: number, size: number, turn: number): Float64Array {
  const half = size / aspect - size;
  const x = half * Math.cos(turn);
  const y = half * Math.sin(turn);
  return Float64Array.of(-x, -y, x, y);
}

function polygonCore(corners: number, first: number, inradius: number): Float64Array {
  if (inradius <= 0) return new Float64Array(2);
  const core = new Float64Array(2 * corners);
  const radius = inradius / Math.cos(Math.PI / corners);
  for (let k = 0; k < corners; k++) {
    const angle = first + (2 * Math.PI * k) / corners;
    core[2 * k] = radius * Math.cos(angle);
    core[2 * k + 1] = radius * Math.sin(angle);
  }
  return core;
}

/** A region moved by a vector in mm. */
export function movedTo(region: Rounded, x: number, y: number): Rounded {
  const core = new Float64Array(region.core);
  for (let k = 0; k < core.length; k += 2) {
    core[k] = (core[k] as number) + x;
    core[k + 1] = (core[k + 1] as number) + y;
  }
  return { core, radius: region.radius };
}

/** The radius in mm of the smallest disc about the origin that holds a region. */
export function reachOf({ core, radius }: Rounded): number {
  return radius + Math.hypot(core[0] as number, core[1] as number);
}
