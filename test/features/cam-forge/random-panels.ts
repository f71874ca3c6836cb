import {
  BORDER_MODES,
  LATTICES,
  type Params,
  RANGES,
  SHAPES,
} from "../../../src/features/cam-forge/params.ts";
import { paramsOf } from "./support.ts";

type Body = Readonly<Record<string, unknown>>;

/** Panels at the ends of what is allowed. */
export const EXTREMES: readonly Body[] = [
  // 599 cells: rows of an odd number each cannot make 600.
  { shape: "circle", width: 300, height: 200, pitch: 10.5, wall: 1, margin: 0, borderMode: "adapt" },
  { shape: "circle", width: 500, height: 480, pitch: 20.4, wall: 1, margin: 0, lattice: "grid" },
  { shape: "slot", aspect: 0.05, rot: 26.57, lattice: "grid", wall: 1 },
  { shape: "slot", aspect: 0.05, jrot: 45, jpos: 1, jscale: 1 },
  { shape: "slot", aspect: 0.95, borderMode: "adapt", jrot: 45 },
  { jpos: 1, jrot: 45, jscale: 1, borderMode: "adapt", margin: 0 },
  { thickness: 0.5 },
  { thickness: 50, shape: "triangle", cornerR: 0 },
  { width: 10, height: 10, margin: 0, pitch: 6, wall: 1 },
  { width: 10, height: 10, margin: 4.999, pitch: 6, wall: 1, borderMode: "adapt" },
  { width: 10, height: 500, margin: 0, pitch: 6, wall: 1, borderMode: "adapt" },
  { wall: 17.995 },
  { wall: 50, pitch: 50.0001 },
  { pitch: 100, wall: 1, width: 500, height: 500, shape: "circle" },
  { shape: "square", cornerR: 0, lattice: "grid", wall: 1, margin: 0.1 },
  { shape: "diamond", cornerR: 0, lattice: "stagger", borderMode: "adapt", margin: 0 },
  { shape: "triangle", cornerR: 10, rot: 1e300 },
  { rot: 1e-9, cornerR: 1e-9 },
  { density: 0 },
  { seed: -Number.MAX_SAFE_INTEGER, jpos: 1 },
];

/** Numbers in [0, 1) from a seed, the same on every machine (mulberry32, by T. Ettinger). */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `count` parameter sets that are not refused: the extremes, then random ones. */
export function* panels(count: number, seed: number): Generator<Params> {
  yield* EXTREMES.slice(0, count).map(paramsOf);
  const random = generator(seed);
  for (let made = EXTREMES.length; made < count;) {
    const params = taken(randomBody(random));
    if (params === undefined) continue;
    made++;
    yield params;
  }
}

function taken(body: Body): Params | undefined {
  try {
    return paramsOf(body);
  } catch {
    return undefined;
  }
}

/** A body whose numbers lean to round values and to the ends of their ranges, where geometry coincides. */
function randomBody(random: () => number): Body {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const between = (min: number, max: number): number => {
    const way = random();
    if (way < 0.1) return pick([min, max]);
    const value = min + random() * (max - min);
    return way < 0.4 && max - min > 2 ? Math.round(value) : value;
  };
  const ranged = Object.fromEntries(
    Object.entries(RANGES).map(([key, [min, max]]) => [key, between(min, max)]),
  );
  return {
    ...ranged,
    pitch: between(6, random() < 0.7 ? 40 : 100),
    wall: between(1, random() < 0.7 ? 5 : 50),
    margin: between(0, random() < 0.6 ? 5 : 60),
    cornerR: pick([0, between(0, 10)]),
    lattice: pick(LATTICES),
    shape: pick(SHAPES),
    borderMode: pick(BORDER_MODES),
    rot: pick([0, 30, 45, between(-360, 360)]),
    density: pick([1, between(0, 1)]),
    jpos: pick([0, between(0, 1)]),
    jrot: pick([0, between(0, 45)]),
    jscale: pick([0, between(0, 1)]),
    seed: Math.floor(random() * 2 ** 40),
  };
}
