import { arcOf, type Contour, type Way, waysOf } from "./contour.ts";
import type { Rect } from "./lattice.ts";

/** Shorter ways are taken for none, mm. */
const TINY_MM = 1e-4;

/** Crossings this near to an end of an arc are that end, radians. */
const TINY_TURN = 1e-7;

/** A half-plane with an upright or level edge: what lies on the given side of a coordinate of 0 (x) or 1 (y). */
type HalfPlane = { readonly axis: 0 | 1; readonly limit: number; readonly sign: 1 | -1 };

/** The part of a convex contour that lies in a rectangle, as a convex contour; empty when there is none. */
export function clipTo(contour: Contour, { x0, y0, x1, y1 }: Rect): Contour {
  const planes: HalfPlane[] = [
    { axis: 0, limit: x0, sign: -1 },
    { axis: 1, limit: y0, sign: -1 },
    { axis: 0, limit: x1, sign: 1 },
    { axis: 1, limit: y1, sign: 1 },
  ];
  return withoutTinyWays(planes.reduce(clipAt, contour));
}

/** Clipping can leave ways that no drawing with four decimals shows; their ends become one corner. */
function withoutTinyWays(contour: Contour): Contour {
  const kept: number[] = [];
  for (const { x, y, bulge, toX, toY } of waysOf(contour)) {
    if (Math.hypot(toX - x, toY - y) > TINY_MM) kept.push(x, y, bulge);
  }
  return Float64Array.from(kept);
}

/** Keeps the pieces inside; where the curve leaves, a straight line to where it comes back closes it. */
function clipAt(contour: Contour, plane: HalfPlane): Contour {
  const kept: number[] = [];
  let end: Way | undefined;
  for (const piece of piecesOf(contour, plane)) {
    if (!isInside(piece, plane)) continue;
    if (end !== undefined && (end.toX !== piece.x || end.toY !== piece.y)) kept.push(end.toX, end.toY, 0);
    kept.push(piece.x, piece.y, piece.bulge);
    end = piece;
  }
  if (end !== undefined && (end.toX !== kept[0] || end.toY !== kept[1])) kept.push(end.toX, end.toY, 0);
  return Float64Array.from(kept);
}

/** The ways from corner to corner, cut where they cross the edge of the half-plane. */
function* piecesOf(contour: Contour, plane: HalfPlane): Generator<Way> {
  for (const way of waysOf(contour)) yield* way.bulge === 0 ? lineAt(way, plane) : arcAt(way, plane);
}

function* lineAt(line: Way, { axis, limit }: HalfPlane): Generator<Way> {
  const from = (axis === 0 ? line.x : line.y) - limit;
  const to = (axis === 0 ? line.toX : line.toY) - limit;
  if (from * to >= 0) {
    yield line;
    return;
  }
  const t = from / (from - to);
  const x = axis === 0 ? limit : line.x + t * (line.toX - line.x);
  const y = axis === 1 ? limit : line.y + t * (line.toY - line.y);
  yield { ...line, toX: x, toY: y };
  yield { ...line, x, y };
}

function* arcAt(arc: Way, { axis, limit }: HalfPlane): Generator<Way> {
  const { x: cx, y: cy, radius, start, sweep } = arcOf(arc);
  const ratio = (limit - (axis === 0 ? cx : cy)) / radius;
  const crossings = Math.abs(ratio) < 1 ? [Math.acos(ratio), -Math.acos(ratio)] : [];
  const turns = crossings
    .map((angle) => positive(angle + (axis * Math.PI) / 2 - start))
    .filter((turn) => turn > TINY_TURN && turn < sweep - TINY_TURN)
    .sort((a, b) => a - b);
  let { x, y } = arc;
  let done = 0;
  for (const turn of turns) {
    const toX = axis === 0 ? limit : cx + radius * Math.cos(start + turn);
    const toY = axis === 1 ? limit : cy + radius * Math.sin(start + turn);
    yield { x, y, bulge: Math.tan((turn - done) / 4), toX, toY };
    [x, y, done] = [toX, toY, turn];
  }
  yield { x, y, bulge: Math.tan((sweep - done) / 4), toX: arc.toX, toY: arc.toY };
}

/** Whether the middle of a piece, which crosses no edge, is inside. */
function isInside({ x, y, bulge, toX, toY }: Way, { axis, limit, sign }: HalfPlane): boolean {
  // The middle of an arc is half a bulge of the chord off its middle, to the right of the way.
  const middle = axis === 0 ? (x + toX + bulge * (toY - y)) / 2 : (y + toY - bulge * (toX - x)) / 2;
  return sign * (middle - limit) <= 0;
}

const positive = (angle: number): number => {
  const turn = angle % (2 * Math.PI);
  return turn < 0 ? turn + 2 * Math.PI : turn;
};
