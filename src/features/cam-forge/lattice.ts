import type { Lattice, Params } from "./params.ts";

/** An axis-aligned rectangle, in mm. */
export type Rect = { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number };

/** A lattice cell: its column and row, counted from the middle of the panel, and its centre in mm. */
export type Cell = { readonly i: number; readonly j: number; readonly x: number; readonly y: number };

/** What counts as lying on a line, in mm: far below any tolerance of making, far above rounding. */
export const ON_LINE_MM = 1e-9;

/** Neighbours up to this many columns and rows away can touch: a slot of aspect 0.05 spans under five pitches. */
const REACH = 6;

type PanelSize = Pick<Params, "width" | "height" | "margin">;
type Spacing = Pick<Params, "lattice" | "pitch">;

/** The panel less its border, in mm. Empty or inverted when the border is as wide as half of the panel. */
export function innerRect({ width, height }: PanelSize, margin: number): Rect {
  return { x0: margin, y0: margin, x1: width - margin, y1: height - margin };
}

const rowPitch = ({ lattice, pitch }: Spacing): number =>
  lattice === "hexpack" ? (pitch * Math.sqrt(3)) / 2 : pitch;

const rowShift = ({ lattice, pitch }: Spacing, j: number): number =>
  lattice === "grid" || j % 2 === 0 ? 0 : pitch / 2;

/** The rows of cells whose centres lie in the inner rectangle: row number and first and last column. */
function* rows(params: PanelSize & Spacing): Generator<{ j: number; first: number; last: number }> {
  const halfWidth = params.width / 2 - params.margin + ON_LINE_MM;
  const halfHeight = params.height / 2 - params.margin + ON_LINE_MM;
  const top = Math.floor(halfHeight / rowPitch(params));
  for (let j = -top; j <= top; j++) {
    const shift = rowShift(params, j);
    const first = Math.ceil((-halfWidth - shift) / params.pitch);
    const last = Math.floor((halfWidth - shift) / params.pitch);
    yield { j, first, last };
  }
}

/** How many cells have their centre in the inner rectangle; one on its edge counts. */
export function countCells(params: PanelSize & Spacing): number {
  let count = 0;
  for (const { first, last } of rows(params)) count += last - first + 1;
  return count;
}

/** The cells whose centre lies in the inner rectangle, row by row from the bottom, left to right. */
export function cellsOf(params: PanelSize & Spacing): Cell[] {
  const cells: Cell[] = [];
  for (const { j, first, last } of rows(params)) {
    const y = params.height / 2 + j * rowPitch(params);
    const left = params.width / 2 + rowShift(params, j);
    for (let i = first; i <= last; i++) cells.push({ i, j, x: left + i * params.pitch, y });
  }
  return cells;
}

/** The vectors from a cell to every other that a hole could reach, shortest first; one of each opposite pair, in mm. */
export function neighbourVectors(spacing: { lattice: Lattice; pitch: number }): { x: number; y: number }[] {
  const vectors: { x: number; y: number }[] = [];
  for (let j = 0; j <= REACH; j++) {
    for (let i = j === 0 ? 1 : -REACH; i <= REACH; i++) {
      vectors.push({ x: i * spacing.pitch + rowShift(spacing, j), y: j * rowPitch(spacing) });
    }
  }
  return vectors.sort((a, b) => a.x * a.x + a.y * a.y - (b.x * b.x + b.y * b.y));
}
