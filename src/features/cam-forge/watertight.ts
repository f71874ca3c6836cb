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
  if (!soup.isFinite) return unreadable("a coordinate is not finite");
  const mesh = joinCorners(view, soup.triangles);
  const edges = countEdges(mesh);
  const components = countComponents(mesh);
  const genus = components - (mesh.cornerCount - edges.edges + soup.triangles) / 2;
  const found = { triangles: soup.triangles, ...edges, components, genus, volumeMm3: soup.volumeMm3 };
  return {
    ...found,
    faults: [...solidFaults(found, soup), ...mismatches(found, extentOf(view, mesh), expected)],
  };
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
  readonly isFinite: boolean;
  readonly flat: number;
  readonly turned: number;
  readonly volumeMm3: number;
};

/** One pass over the floats: what is not finite, has no area or a false normal, and the enclosed volume. */
function readSoup(view: DataView, triangles: number): Soup {
  let flat = 0;
  let turned = 0;
  let sixfold = 0;
  let sum = 0;
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
    if (nx === 0 && ny === 0 && nz === 0) flat++;
    if (facing < 0) turned++;
    sixfold += volume;
    sum += facing;
  }
  // A number that is not finite makes every sum that it enters not finite.
  return { triangles, isFinite: Number.isFinite(sixfold + sum), flat, turned, volumeMm3: sixfold / 6 };
}

/** The extent of all corners along x, y and z, in mm. */
function extentOf(view: DataView, { firstPlaces, cornerCount }: Joined): number[] {
  return [0, 4, 8].map((axis) => {
    let low = Infinity;
    let high = -Infinity;
    for (let corner = 0; corner < cornerCount; corner++) {
      const value = view.getFloat32((firstPlaces[corner] as number) + axis, true);
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return high - low;
  });
}

/** A mesh by corner numbers, three for each facet; equal bits are one corner. */
type Joined = {
  readonly corners: Int32Array;
  readonly cornerCount: number;
  /** Where in the file each corner stands first. */
  readonly firstPlaces: Int32Array;
};

/** How much of the hash table may be filled. */
const FULLEST = 0.6;

/** Numbers of a place in the hash table: the bits of x, y and z, and the corner there plus one. */
const PLACE = 4;

/**
 * Numbers the corners by their bits, in an open hash table. A closed mesh has about half as many corners as facets; when
 * there are more than that leaves room for, the table is made anew, large enough for any.
 */
function joinCorners(view: DataView, triangles: number, places = powerOfTwoFrom(triangles)): Joined {
  const corners = new Int32Array(3 * triangles);
  const most = Math.floor(FULLEST * places);
  const firstPlaces = new Int32Array(most);
  const table = new Int32Array(PLACE * places);
  let cornerCount = 0;
  for (let k = 0, facet = PREAMBLE_BYTES + 12; k < corners.length; facet += FACET_BYTES) {
    for (let at = facet; at < facet + 36; at += 12) {
      const x = view.getInt32(at, true);
      const y = view.getInt32(at + 4, true);
      const z = view.getInt32(at + 8, true);
      let place = (hash(x, y, z) & (places - 1)) * PLACE;
      let corner = table[place + 3] as number;
      while (corner !== 0 && (table[place] !== x || table[place + 1] !== y || table[place + 2] !== z)) {
        place = (place + PLACE) & (PLACE * places - 1);
        corner = table[place + 3] as number;
      }
      if (corner === 0) {
        if (cornerCount === most) return joinCorners(view, triangles, powerOfTwoFrom(6 * triangles));
        firstPlaces[cornerCount] = at;
        corner = ++cornerCount;
        table[place] = x;
        table[place + 1] = y;
        table[place + 2] = z;
        table[place + 3] = corner;
      }
      corners[k++] = corner - 1;
    }
  }
  return { corners, cornerCount, firstPlaces };
}

const powerOfTwoFrom = (value: number): number => 2 ** Math.ceil(Math.log2(value));

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

function countEdges(mesh: Joined): EdgeCounts {
  const edges = countPairs(mesh);
  return edges === undefined ? sortEdges(mesh) : { edges, boundaryEdges: 0, nonManifoldEdges: 0 };
}

/**
 * The number of edges when each is shared by exactly two facets in opposite directions, else undefined. The ways up, from
 * a lower corner number to a higher one, go into a bucket for each lower corner; each way down must then find its own.
 */
function countPairs({ corners, cornerCount }: Joined): number | undefined {
  const starts = new Int32Array(cornerCount + 2);
  for (let k = 0; k < corners.length; k += 3) {
    const a = corners[k] as number;
    const b = corners[k + 1] as number;
    const c = corners[k + 2] as number;
    if (a < b) postIncrement(starts, a + 2);
    if (b < c) postIncrement(starts, b + 2);
    if (c < a) postIncrement(starts, c + 2);
  }
  for (let k = 2; k < starts.length; k++) starts[k] = (starts[k] as number) + (starts[k - 1] as number);
  const upper = new Int32Array(starts[cornerCount + 1] as number);
  // Filling moves each start on to the next one, so that afterwards bucket k goes from starts[k] to starts[k + 1].
  for (let k = 0; k < corners.length; k += 3) {
    const a = corners[k] as number;
    const b = corners[k + 1] as number;
    const c = corners[k + 2] as number;
    if (a < b) upper[postIncrement(starts, a + 1)] = b;
    if (b < c) upper[postIncrement(starts, b + 1)] = c;
    if (c < a) upper[postIncrement(starts, c + 1)] = a;
  }
  const met = new Uint8Array(upper.length);
  for (let k = 0; k < corners.length; k += 3) {
    const a = corners[k] as number;
    const b = corners[k + 1] as number;
    const c = corners[k + 2] as number;
    if (a > b && !meet(starts, upper, met, b, a)) return undefined;
    if (b > c && !meet(starts, upper, met, c, b)) return undefined;
    if (c > a && !meet(starts, upper, met, a, c)) return undefined;
  }
  return met.includes(0) ? undefined : upper.length;
}

function postIncrement(numbers: Int32Array, index: number): number {
  const value = numbers[index] as number;
  numbers[index] = value + 1;
  return value;
}

/** Marks the way up between two corners as met by a way down; false when there is none, or it has been met. */
function meet(starts: Int32Array, upper: Int32Array, met: Uint8Array, low: number, high: number): boolean {
  const end = starts[low + 1] as number;
  let place = starts[low] as number;
  while (place < end && upper[place] !== high) place++;
  if (place === end || met[place] === 1) return false;
  met[place] = 1;
  return true;
}

/** What is wrong with the edges of a mesh that has faults: slower than counting pairs. */
function sortEdges({ corners, cornerCount }: Joined): EdgeCounts {
  const ways = new Map<number, { up: number; down: number }>();
  for (let k = 0; k < corners.length; k++) {
    const from = corners[k] as number;
    const to = corners[k % 3 === 2 ? k - 2 : k + 1] as number;
    const edge = Math.min(from, to) * cornerCount + Math.max(from, to);
    const way = ways.get(edge) ?? { up: 0, down: 0 };
    if (from < to) way.up++;
    else way.down++;
    ways.set(edge, way);
  }
  const all = [...ways.values()];
  const boundaryEdges = all.filter(({ up, down }) => up + down === 1).length;
  const pairs = all.filter(({ up, down }) => up === 1 && down === 1).length;
  return { edges: all.length, boundaryEdges, nonManifoldEdges: all.length - pairs - boundaryEdges };
}

/** Pieces that hang together by corners. */
function countComponents({ corners, cornerCount }: Joined): number {
  const parent = new Int32Array(cornerCount);
  for (let corner = 0; corner < cornerCount; corner++) parent[corner] = corner;
  let components = cornerCount;
  for (let k = 0; k < corners.length; k += 3) {
    if (unite(parent, corners[k] as number, corners[k + 1] as number)) components--;
    if (unite(parent, corners[k + 1] as number, corners[k + 2] as number)) components--;
  }
  return components;
}

/** Makes one piece of the pieces of two corners; false when they are one already. */
function unite(parent: Int32Array, a: number, b: number): boolean {
  const rootA = rootOf(parent, a);
  const rootB = rootOf(parent, b);
  if (rootA === rootB) return false;
  parent[Math.max(rootA, rootB)] = Math.min(rootA, rootB);
  return true;
}

function rootOf(parent: Int32Array, corner: number): number {
  let root = corner;
  while (parent[root] !== root) {
    const above = parent[parent[root] as number] as number;
    parent[root] = above;
    root = above;
  }
  return root;
}
