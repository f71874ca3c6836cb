import { createRequire } from "node:module";
import Delaunator from "delaunator";
import type { Loops } from "./loops.ts";

type Edge = readonly [from: number, to: number];
type ConstrainedBy = new (mesh: Delaunator<Float64Array>, edges: readonly Edge[]) => unknown;

// Not an import: the types that the library points at are sources that a strict compiler refuses.
const Constrainautor = createRequire(import.meta.url)("@kninnug/constrainautor") as ConstrainedBy;

/**
 * Triangles that fill the panel around its holes: corner indices, three for each, counter-clockwise seen from above.
 * The loops must not touch each other, and the holes must lie inside of the outline.
 */
export function triangulate({ xy, starts }: Loops): Uint32Array {
  const mesh = new Delaunator(xy);
  const loop = loopOfCorner(starts);
  const next = nextCorner(starts);
  if (!hasEveryEdge(mesh.triangles, next)) constrain(mesh, next);
  return withoutHoles(mesh.triangles, loop);
}

function loopOfCorner(starts: Uint32Array): Uint32Array {
  const loop = new Uint32Array(starts.at(-1) as number);
  for (let index = 0; index + 1 < starts.length; index++) loop.fill(index, starts[index], starts[index + 1]);
  return loop;
}

/** The corner that follows each corner in its loop. */
function nextCorner(starts: Uint32Array): Uint32Array {
  const next = new Uint32Array(starts.at(-1) as number);
  for (let corner = 0; corner < next.length; corner++) next[corner] = corner + 1;
  for (let index = 1; index < starts.length; index++)
    next[(starts[index] as number) - 1] = starts[index - 1] as number;
  return next;
}

/** Whether each edge of each loop is an edge of some triangle, as it mostly is: holes are dense in corners. */
function hasEveryEdge(triangles: Uint32Array, next: Uint32Array): boolean {
  const found = new Uint8Array(next.length);
  let count = 0;
  const note = (from: number, to: number): void => {
    const start = next[from] === to ? from : next[to] === from ? to : -1;
    if (start >= 0 && found[start] === 0) {
      found[start] = 1;
      count++;
    }
  };
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t] as number;
    const b = triangles[t + 1] as number;
    const c = triangles[t + 2] as number;
    note(a, b);
    note(b, c);
    note(c, a);
  }
  return count === next.length;
}

function constrain(mesh: Delaunator<Float64Array>, next: Uint32Array): void {
  const edges: Edge[] = [];
  for (let corner = 0; corner < next.length; corner++) edges.push([corner, next[corner] as number]);
  void new Constrainautor(mesh, edges);
}

/**
 * A triangle lies in a hole when its corners are all of one loop and come in the order of the loop: a triangle outside
 * of it, across a dent, has them in reverse. The outline runs clockwise, so the rule keeps what it encloses.
 */
function withoutHoles(triangles: Uint32Array, loop: Uint32Array): Uint32Array {
  const kept = new Uint32Array(triangles.length);
  let end = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t] as number;
    // The library counts counter-clockwise with y down; swapping two corners makes it so with y up.
    const b = triangles[t + 2] as number;
    const c = triangles[t + 1] as number;
    const rising = Number(a < b) + Number(b < c) + Number(c < a);
    if (loop[a] === loop[b] && loop[b] === loop[c] && rising === 2) continue;
    kept[end] = a;
    kept[end + 1] = b;
    kept[end + 2] = c;
    end += 3;
  }
  return kept.subarray(0, end);
}
