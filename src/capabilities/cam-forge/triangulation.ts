import { createRequire } from "node:module";
import Delaunator from "delaunator";
import type { Loops } from "./loops.ts";

type Edge = readonly [from: number, to: number];
type ConstrainedBy = new (mesh: Delaunator<Float64Array>, edges: readonly Edge[]) => unknown;

// Not an import: the types that the library points at are sources that a strict compiler refuses.
const Constrainautor = createRequire(import.meta.url)("@kninnug/constrainautor") as ConstrainedBy;

/**
 * Triangles that fill the panel around its holes: corner indices, three for each, counter-clockwise seen from above.
 * The first loop is the outline, clockwise, and the others are holes, counter-clockwise; they must not touch each other.
 */
export function triangulate({ xy, starts }: Loops): Uint32Array {
  const mesh = new Delaunator(xy);
  const next = nextCorner(starts);
  if (!hasEveryHoleEdge(mesh.triangles, next, starts[1] as number)) constrain(mesh, next);
  return withoutHoles(mesh.triangles, loopOfCorner(starts));
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
  for (let index = 1; index < starts.length; index++) {
    next[(starts[index] as number) - 1] = starts[index - 1] as number;
  }
  return next;
}

/**
 * Whether each edge of each hole is an edge of the triangulation, as it mostly is: holes are dense in corners. Such an
 * edge has a triangle on either side, and runs along the loop in exactly one of them.
 */
function hasEveryHoleEdge(triangles: Uint32Array, next: Uint32Array, firstOfHoles: number): boolean {
  let found = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t] as number;
    const b = triangles[t + 1] as number;
    const c = triangles[t + 2] as number;
    if (next[a] === b && a >= firstOfHoles) found++;
    if (next[b] === c && b >= firstOfHoles) found++;
    if (next[c] === a && c >= firstOfHoles) found++;
  }
  return found === next.length - firstOfHoles;
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
