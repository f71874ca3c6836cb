import { type Loops, STEPS_PER_MM } from "./loops.ts";

const HEADER_BYTES = 80;
const FACET_BYTES = 50;
const TITLE = "Meshforge cam-forge panel, millimetres";

/**
 * A binary STL of the prism that stands on a triangulated panel, from z = 0 to the thickness in mm. Loops run so that
 * the solid is on their right (outline clockwise, holes counter-clockwise); triangles are counter-clockwise from above.
 */
export function prismStl(loops: Loops, triangles: Uint32Array, thickness: number): Uint8Array {
  const facets = (2 * triangles.length) / 3 + loops.xy.length;
  const bytes = new Uint8Array(HEADER_BYTES + 4 + facets * FACET_BYTES);
  bytes.set(new TextEncoder().encode(TITLE));
  const view = new DataView(bytes.buffer);
  view.setUint32(HEADER_BYTES, facets, true);
  const end = writeFaces(view, HEADER_BYTES + 4, loops.xy, triangles, thickness);
  writeWalls(view, end, loops, thickness);
  return bytes;
}

/** Top and bottom; the bottom's triangles run the other way round. */
function writeFaces(
  view: DataView,
  start: number,
  xy: Float64Array,
  triangles: Uint32Array,
  thickness: number,
): number {
  let offset = start;
  for (let t = 0; t < triangles.length; t += 3) {
    const ax = mm(xy, 2 * (triangles[t] as number));
    const ay = mm(xy, 2 * (triangles[t] as number) + 1);
    const bx = mm(xy, 2 * (triangles[t + 1] as number));
    const by = mm(xy, 2 * (triangles[t + 1] as number) + 1);
    const cx = mm(xy, 2 * (triangles[t + 2] as number));
    const cy = mm(xy, 2 * (triangles[t + 2] as number) + 1);
    view.setFloat32(offset + 8, 1, true);
    writeCorner(view, offset + 12, ax, ay, thickness);
    writeCorner(view, offset + 24, bx, by, thickness);
    writeCorner(view, offset + 36, cx, cy, thickness);
    view.setFloat32(offset + 58, -1, true);
    writePair(view, offset + 62, ax, ay);
    writePair(view, offset + 74, cx, cy);
    writePair(view, offset + 86, bx, by);
    offset += 2 * FACET_BYTES;
  }
  return offset;
}

/** Two facets for each edge of each loop, facing to the left of the edge, where there is no material. */
function writeWalls(view: DataView, start: number, { xy, starts }: Loops, thickness: number): void {
  let offset = start;
  for (let index = 0; index + 1 < starts.length; index++) {
    const end = starts[index + 1] as number;
    let ax = mm(xy, 2 * end - 2);
    let ay = mm(xy, 2 * end - 1);
    for (let corner = starts[index] as number; corner < end; corner++) {
      const bx = mm(xy, 2 * corner);
      const by = mm(xy, 2 * corner + 1);
      const length = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
      const nx = (ay - by) / length;
      const ny = (bx - ax) / length;
      writePair(view, offset, nx, ny);
      writePair(view, offset + 12, ax, ay);
      writeCorner(view, offset + 24, ax, ay, thickness);
      writeCorner(view, offset + 36, bx, by, thickness);
      writePair(view, offset + 50, nx, ny);
      writePair(view, offset + 62, ax, ay);
      writeCorner(view, offset + 74, bx, by, thickness);
      writePair(view, offset + 86, bx, by);
      offset += 2 * FACET_BYTES;
      ax = bx;
      ay = by;
    }
  }
}

/** x and y of a corner at z = 0, or of a level normal: the buffer is zero from the start. */
function writePair(view: DataView, offset: number, x: number, y: number): void {
  view.setFloat32(offset, x, true);
  view.setFloat32(offset + 4, y, true);
}

function writeCorner(view: DataView, offset: number, x: number, y: number, z: number): void {
  view.setFloat32(offset, x, true);
  view.setFloat32(offset + 4, y, true);
  view.setFloat32(offset + 8, z, true);
}

const mm = (xy: Float64Array, index: number): number => (xy[index] as number) / STEPS_PER_MM;
