/** What a closed solid must be, when its maker knows: holes through it, volume in mm3, extent in mm. */
export type Expected = {
  readonly genus?: number;
  readonly volumeMm3?: number;
  readonly size?: readonly [number, number, number];
};

/** What was found in the bytes of a binary STL. `faults` names everything that is wrong; empty means watertight. */
export type Watertightness = {
  readonly triangles: number;
  readonly edges: number;
  readonly boundaryEdges: number;
  readonly nonManifoldEdges: number;
  readonly components: number;
  readonly genus: number;
  readonly volumeMm3: number;
  readonly faults: readonly string[];
};

const PREAMBLE_BYTES = 84;
const FACET_BYTES = 50;
const VOLUME_TOLERANCE = 0.001;
const SIZE_TOLERANCE_MM = 0.001;

/**
 * Reads a binary STL back and says whether it bounds one solid: every edge shared by exactly two facets in opposite
 * directions, no degenerate or non-finite facet, positive volume, one piece, and what is expected of it. Corners are
 * one only when the bits of their floats are equal, so a crack of one unit in the last place is found. Never throws.
 */
export function checkWatertight(bytes: Uint8Array, expected: Expected = {}): Watertightness {
  const frame = frameFault(bytes);
  if (frame !== undefined) return unreadable(frame);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const soup = readSoup(view, (bytes.length - PREAMBLE_BYTES) / FACET_BYTES);
  if (soup.nonFinite > 0) return unreadable(`${soup.nonFinite} facets with a coordinate that is not finite`);
  const mesh = joinCorners(view, soup.triangles);
  const edges = countEdges(mesh);
  const components = countComponents(mesh);
  const genus = components - (mesh.cornerCount - edges.edges + soup.triangles) / 2;
  const found = { triangles: soup.triangles, ...edges, components, genus, volumeMm3: soup.volumeMm3 };
  return { ...found, faults: [...solidFaults(found, soup), ...mismatches(found, soup.size, expected)] };
}

type Found = Omit<Watertightness, "faults">;

function frameFault(bytes: Uint8Array): string | undefined {
  if (bytes.length < PREAMBLE_BYTES) return `${bytes.length} bytes are too few for a binary STL`;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const facets = view.getUint32(PREAMBLE_BYTES - 4, true);
  if (facets === 0) return "no facets";
  const length = PREAMBLE_BYTES + facets * FACET_BYTES;
  if (bytes.length !== length)
    return `${facets} facets take ${length} bytes, and the file has ${bytes.length}`;
  return undefined;
}

function unreadable(fault: string): Watertightness {
  const nothing = { triangles: 0, edges: 0, boundaryEdges: 0, nonManifoldEdges: 0, components: 0, genus: 0 };
  return { ...nothing, volumeMm3: 0, faults: [fault] };
}

function solidFaults(found: Found, { flat, turned }: Soup): string[] {
  const faults: string[] = [];
  if (flat > 0) faults.push(`${flat} facets without area`);
  if (turned > 0) faults.push(`${turned} facets whose normal contradicts their corners`);
  if (found.boundaryEdges > 0) faults.push(`${found.boundaryEdges} open edges`);
  if (found.nonManifoldEdges > 0)
    faults.push(`${found.nonManifoldEdges} edges not shared by two opposite facets`);
  if (!(found.volumeMm3 > 0)) faults.push(`volume ${found.volumeMm3} is not positive`);
  if (found.components !== 1) faults.push(`${found.components} separate pieces`);
  return faults;
}

function mismatches(found: Found, size: readonly number[], expected: Expected): string[] {
  const faults: string[] = [];
  if (expected.genus !== undefined && found.genus !== expected.genus) {
    faults.push(`genus ${found.genus}, expected ${expected.genus}`);
  }
  const { volumeMm3 } = expected;
  if (volumeMm3 !== undefined && !(Math.abs(found.volumeMm3 - volumeMm3) <= VOLUME_TOLERANCE * volumeMm3)) {
    faults.push(`volume ${found.volumeMm3}, expected ${volumeMm3}`);
  }
  const fits = (extent: number, axis: number): boolean =>
    Math.abs(extent - (size[axis] ?? 0)) <= SIZE_TOLERANCE_MM;
  if (expected.size !== undefined && !expected.size.every(fits)) {
    faults.push(`extent ${size.join(" x ")}, expected ${expected.size.join(" x ")}`);
  }
  return faults;
}

type Soup = {
  readonly triangles: number;
  readonly nonFinite: number;
  readonly flat: number;
  readonly turned: number;
  readonly volumeMm3: number;
  readonly size: readonly number[];
};

/** One pass over the floats: what is not finite, has no area or a false normal, and the enclosed volume. */
function readSoup(view: DataView, triangles: number): Soup {
  let nonFinite = 0;
  let flat = 0;
  let turned = 0;
  let sixfold = 0;
  for (let facet = 0, at = PREAMBLE_BYTES; facet < triangles; facet++, at += FACET_BYTES) {
    const ax = view.getFloat32(at + 12, true);
    const ay = view.getFloat32(at + 16, true);
    const az = view.getFloat32(at + 20, true);
    const ux = view.getFloat32(at + 24, true) - ax;
    const uy = view.getFloat32(at + 28, true) - ay;
    const uz = view.getFloat32(at + 32, true) - az;
    const vx = view.getFloat32(at + 36, true) - ax;
    const vy = view.getFloat32(at + 40, true) - ay;
    const vz = view.getFloat32(at + 44, true) - az;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const volume = ax * nx + ay * ny + az * nz;
    const facing =
      nx * view.getFloat32(at, true) +
      ny * view.getFloat32(at + 4, true) +
      nz * view.getFloat32(at + 8, true);
    if (!Number.isFinite(volume + facing)) nonFinite++;
    if (nx === 0 && ny === 0 && nz === 0) flat++;
    if (facing < 0) turned++;
    sixfold += volume;
  }
  return { triangles, nonFinite, flat, turned, volumeMm3: sixfold / 6, size: extentOf(view, triangles) };
}

/** The extent of all corners along x, y and z, in mm. */
function extentOf(view: DataView, triangles: number): number[] {
  return [12, 16, 20].map((first) => {
    let low = Infinity;
    let high = -Infinity;
    for (let facet = 0, at = PREAMBLE_BYTES + first; facet < triangles; facet++, at += FACET_BYTES) {
      for (let corner = 0; corner < 36; corner += 12) {
        const value = view.getFloat32(at + corner, true);
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    return high - low;
  });
}

/** A mesh by corner numbers, three for each facet; equal bits are one corner. */
type Joined = { readonly corners: Int32Array; readonly cornerCount: number };

/** Numbers the corners by their bits, in an open hash table of about twice as many places as a closed mesh has corners. */
function joinCorners(view: DataView, triangles: number): Joined {
  const corners = new Int32Array(3 * triangles);
  const firstPlace = new Int32Array(3 * triangles);
  const mask = 2 ** Math.ceil(Math.log2(3 * triangles + 1)) - 1;
  const table = new Int32Array(mask + 1).fill(-1);
  let cornerCount = 0;
  for (let k = 0; k < corners.length; k++) {
    const at = placeOf(k);
    const x = view.getInt32(at, true);
    const y = view.getInt32(at + 4, true);
    const z = view.getInt32(at + 8, true);
    let slot = hash(x, y, z) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const corner = table[slot] as number;
      if (corner < 0) {
        firstPlace[cornerCount] = at;
        table[slot] = cornerCount;
        corners[k] = cornerCount++;
        break;
      }
      const other = firstPlace[corner] as number;
      const same =
        view.getInt32(other, true) === x &&
        view.getInt32(other + 4, true) === y &&
        view.getInt32(other + 8, true) === z;
      if (same) {
        corners[k] = corner;
        break;
      }
    }
  }
  return { corners, cornerCount };
}

/** Where the k-th corner of the file stands. */
const placeOf = (k: number): number => {
  const facet = Math.floor(k / 3);
  return PREAMBLE_BYTES + 12 + facet * FACET_BYTES + 12 * (k - 3 * facet);
};

/** Multiplicative mixing of three words; the last steps bring the high bits, where floats differ, down. */
function hash(x: number, y: number, z: number): number {
  let mixed = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca77) ^ Math.imul(z, 0xc2b2ae3d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x27d4eb2f);
  return mixed ^ (mixed >>> 13);
}

type EdgeCounts = {
  readonly edges: number;
  readonly boundaryEdges: number;
  readonly nonManifoldEdges: number;
};

/** Sorts the directed edges into buckets by their lower corner, then pairs them within each bucket. */
function countEdges({ corners, cornerCount }: Joined): EdgeCounts {
  const starts = new Uint32Array(cornerCount + 1);
  eachEdge(corners, (from, to) => {
    const lower = Math.min(from, to) + 1;
    starts[lower] = (starts[lower] as number) + 1;
  });
  for (let corner = 0; corner < cornerCount; corner++) {
    starts[corner + 1] = (starts[corner + 1] as number) + (starts[corner] as number);
  }
  const filled = starts.slice();
  const upward = new Int32Array(corners.length);
  eachEdge(corners, (from, to) => {
    const lower = Math.min(from, to);
    const place = filled[lower] as number;
    filled[lower] = place + 1;
    // The other corner, complemented where the edge runs down to the lower one.
    upward[place] = from < to ? to : ~from;
  });
  return pairUp(starts, upward, cornerCount);
}

function eachEdge(corners: Int32Array, visit: (from: number, to: number) => void): void {
  for (let k = 0; k < corners.length; k += 3) {
    const a = corners[k] as number;
    const b = corners[k + 1] as number;
    const c = corners[k + 2] as number;
    visit(a, b);
    visit(b, c);
    visit(c, a);
  }
}

function pairUp(starts: Uint32Array, upward: Int32Array, cornerCount: number): EdgeCounts {
  const up = new Uint16Array(cornerCount);
  const down = new Uint16Array(cornerCount);
  let edges = 0;
  let boundaryEdges = 0;
  let nonManifoldEdges = 0;
  for (let corner = 0; corner < cornerCount; corner++) {
    const from = starts[corner] as number;
    const end = starts[corner + 1] as number;
    for (let k = from; k < end; k++) {
      const other = upward[k] as number;
      if (other < 0) down[~other] = (down[~other] as number) + 1;
      else up[other] = (up[other] as number) + 1;
    }
    for (let k = from; k < end; k++) {
      const other = upward[k] as number;
      const far = other < 0 ? ~other : other;
      const along = up[far] as number;
      const against = down[far] as number;
      if (along + against === 0) continue;
      edges++;
      if (along + against === 1) boundaryEdges++;
      else if (along !== 1 || against !== 1) nonManifoldEdges++;
      up[far] = 0;
      down[far] = 0;
    }
  }
  return { edges, boundaryEdges, nonManifoldEdges };
}

/** Pieces that hang together by corners. */
function countComponents({ corners, cornerCount }: Joined): number {
  const parent = new Int32Array(cornerCount);
  for (let corner = 0; corner < cornerCount; corner++) parent[corner] = corner;
  const rootOf = (corner: number): number => {
    let root = corner;
    while (parent[root] !== root) {
      const above = parent[parent[root] as number] as number;
      parent[root] = above;
      root = above;
    }
    return root;
  };
  let components = cornerCount;
  eachEdge(corners, (from, to) => {
    const a = rootOf(from);
    const b = rootOf(to);
    if (a === b) return;
    parent[Math.max(a, b)] = Math.min(a, b);
    components--;
  });
  return components;
}
