import type { Rounded } from "./convex.ts";

/**
 * A closed curve of lines and arcs, counter-clockwise: x, y in mm and bulge for each corner. The bulge is that of the
 * way to the next corner, as DXF has it: tan of a quarter of the arc's sweep, 0 for a line.
 */
export type Contour = Float64Array;

/** Numbers for each corner of a contour. */
export const STRIDE = 3;

/** The true boundary of a rounded region, moved by a vector in mm. */
export function contourOf({ core, radius }: Rounded, x: number, y: number): Contour {
  if (core.length === 2) {
    const [cx, cy] = [x + (core[0] as number), y + (core[1] as number)];
    return Float64Array.of(cx + radius, cy, 1, cx - radius, cy, 1);
  }
  const corners: number[] = [];
  for (let k = 0; k < core.length; k += 2) {
    const px = x + (core[k] as number);
    const py = y + (core[k + 1] as number);
    if (radius === 0) {
      corners.push(px, py, 0);
      continue;
    }
    const before = normalOf(core, (k + core.length - 2) % core.length, k);
    const after = normalOf(core, k, (k + 2) % core.length);
    corners.push(px + radius * before.x, py + radius * before.y, quarterTan(before, after));
    corners.push(px + radius * after.x, py + radius * after.y, 0);
  }
  return Float64Array.from(corners);
}

type Vector = { readonly x: number; readonly y: number };

/** The outward unit normal of the edge from one corner to another. */
function normalOf(core: Float64Array, from: number, to: number): Vector {
  const dx = (core[to] as number) - (core[from] as number);
  const dy = (core[to + 1] as number) - (core[from + 1] as number);
  const length = Math.sqrt(dx * dx + dy * dy);
  return { x: dy / length, y: -dx / length };
}

/** The tangent of a quarter of the turn, up to half a turn counter-clockwise, from one unit vector to another. */
function quarterTan(from: Vector, to: Vector): number {
  const turn = Math.atan2(from.x * to.y - from.y * to.x, from.x * to.x + from.y * to.y);
  return Math.tan(Math.abs(turn) / 4);
}

/** An arc by its centre and radius in mm, and the angle at which it starts and its sweep in radians. */
export type Arc = {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly start: number;
  readonly sweep: number;
};

export type Way = {
  readonly x: number;
  readonly y: number;
  readonly bulge: number;
  readonly toX: number;
  readonly toY: number;
};

/** The radius in mm of the arc with a bulge over a chord in mm. */
export function arcRadius(chord: number, bulge: number): number {
  return (chord * (1 + bulge * bulge)) / (4 * bulge);
}

/** The arc of a way with a positive bulge. Its centre lies to the left of a way of less than half a turn. */
export function arcOf({ x, y, bulge, toX, toY }: Way): Arc {
  const off = (1 - bulge * bulge) / (4 * bulge);
  const cx = (x + toX) / 2 - off * (toY - y);
  const cy = (y + toY) / 2 + off * (toX - x);
  const radius = arcRadius(Math.hypot(toX - x, toY - y), bulge);
  return { x: cx, y: cy, radius, start: Math.atan2(y - cy, x - cx), sweep: 4 * Math.atan(bulge) };
}

/** The ways of a contour from each corner to the next. */
export function* waysOf(contour: Contour): Generator<Way> {
  const at = (index: number): number => contour[index % contour.length] as number;
  for (let k = 0; k < contour.length; k += STRIDE) {
    yield { x: at(k), y: at(k + 1), bulge: at(k + 2), toX: at(k + STRIDE), toY: at(k + STRIDE + 1) };
  }
}

/** The area within a contour in mm2 and its length in mm. */
export function measureContour(contour: Contour): { area: number; length: number } {
  let area = 0;
  let length = 0;
  for (const way of waysOf(contour)) {
    area += (way.x * way.toY - way.toX * way.y) / 2;
    if (way.bulge === 0) length += Math.hypot(way.toX - way.x, way.toY - way.y);
    else {
      const { radius, sweep } = arcOf(way);
      area += (radius * radius * (sweep - Math.sin(sweep))) / 2;
      length += radius * sweep;
    }
  }
  return { area, length };
}
