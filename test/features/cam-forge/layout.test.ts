import { describe, expect, it } from "vitest";
import { cornersOf } from "../../../src/features/cam-forge/chords.ts";
import { gapBetween } from "../../../src/features/cam-forge/convex.ts";
import { cellsOf } from "../../../src/features/cam-forge/lattice.ts";
import { layOut } from "../../../src/features/cam-forge/layout.ts";
import { type Hole, movedTo, regionOf } from "../../../src/features/cam-forge/shapes.ts";
import { largestSize } from "../../../src/features/cam-forge/size.ts";
import { measure } from "../../../src/features/cam-forge/statistics.ts";
import type { Params } from "../../../src/features/cam-forge/params.ts";
import { panels } from "./random-panels.ts";
import { paramsOf } from "./support.ts";

const keyOf = ({ i, j }: Hole): string => `${i},${j}`;
const holesOf = (body: Readonly<Record<string, unknown>>): readonly Hole[] => layOut(paramsOf(body)).holes;
const byCell = (holes: readonly Hole[]): Map<string, Hole> =>
  new Map(holes.map((hole) => [keyOf(hole), hole]));

/** The narrowest web of all pairs, without any short cut. */
function narrowest(params: Params, holes: readonly Hole[]): number {
  const webs = holes.flatMap((a, k) =>
    holes
      .slice(k + 1)
      .map((b) =>
        gapBetween(
          regionOf(params, a.size, a.turn),
          movedTo(regionOf(params, b.size, b.turn), b.x - a.x, b.y - a.y),
        ),
      ),
  );
  return Math.min(...webs);
}

describe("density", () => {
  it("keeps that share of the cells, rounded", () => {
    const loose = { margin: 0, pitch: 30, wall: 20, borderMode: "adapt" };
    for (const density of [0, 0.25, 0.5, 0.777, 1]) {
      const { total, holes } = layOut(paramsOf({ ...loose, density }));
      expect(holes.length).toBeLessThanOrEqual(Math.round(density * total));
    }
    const { total, holes } = layOut(
      paramsOf({ density: 0.5, margin: 40, shape: "circle", borderMode: "adapt" }),
    );
    expect(holes).toHaveLength(Math.round(0.5 * total));
  });

  it("thins without moving: the holes of a lower density are some of those of a higher one", () => {
    const full = new Set(holesOf({ density: 0.8 }).map(keyOf));
    const half = holesOf({ density: 0.5 }).map(keyOf);
    expect(half.every((key) => full.has(key))).toBe(true);
    expect(half.length).toBeGreaterThan(50);
  });

  it("keeps the same cells when the panel grows", () => {
    const rank = (body: object) => new Set(holesOf({ density: 0.5, ...body }).map(keyOf));
    const [small, large] = [rank({ width: 200 }), rank({ width: 300 })];
    const inner = holesOf({ width: 160 }).map(keyOf);
    const agreeing = inner.filter((key) => small.has(key) === large.has(key)).length;
    expect(agreeing / inner.length).toBeGreaterThan(0.85);
  });
});

describe("jitter", () => {
  const jitter = { jpos: 1, jrot: 30, jscale: 0.6 };

  it("moves a hole by no more than a quarter of what pitch exceeds wall, and reaches near that", () => {
    const still = byCell(holesOf({ shape: "circle", wall: 9 }));
    const moves = holesOf({ shape: "circle", wall: 9, jpos: 0.5 }).flatMap((hole) => {
      const home = still.get(keyOf(hole));
      return home === undefined ? [] : [Math.hypot(hole.x - home.x, hole.y - home.y)];
    });
    const most = (0.5 * (18 - 9)) / 4;
    expect(Math.max(...moves)).toBeLessThanOrEqual(most);
    expect(Math.max(...moves)).toBeGreaterThan(0.9 * most);
  });

  it("turns a hole by no more than jrot either way", () => {
    const turns = holesOf({ jrot: 30, wall: 9 }).map(({ turn }) => (turn * 180) / Math.PI);
    expect(Math.max(...turns)).toBeLessThanOrEqual(30);
    expect(Math.min(...turns)).toBeGreaterThanOrEqual(-30);
    expect(Math.max(...turns) - Math.min(...turns)).toBeGreaterThan(50);
  });

  it("shrinks a hole to a fifth at the most", () => {
    const full = holesOf({ shape: "circle" })[0]?.size ?? 0;
    const sizes = holesOf({ shape: "circle", jscale: 1 }).map(({ size }) => size / full);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(0.2 - 1e-12);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeGreaterThan(0.7);
  });

  it.each(["hexagon", "circle", "square", "diamond", "triangle", "slot"])(
    "never leaves a web under wall between %s holes",
    (shape) => {
      for (const seed of [1, 2, 3]) {
        const params = paramsOf({ ...jitter, shape, seed, jscale: 0.2, width: 200, height: 150 });
        const layout = layOut(params);
        const web = narrowest(params, layout.holes);
        expect(web).toBeGreaterThanOrEqual(params.wall - 1e-9);
        expect(measure(params, layout).minWebMm).toBeCloseTo(web, 12);
      }
    },
  );

  it("does not reshuffle the other choices when one is changed", () => {
    const base = { wall: 9, shape: "circle", ...jitter };
    const [a, b] = [byCell(holesOf(base)), byCell(holesOf({ ...base, jrot: 0, thickness: 2, rot: 5 }))];
    for (const [key, hole] of a) {
      const other = b.get(key);
      if (other !== undefined) expect([other.x, other.y]).toEqual([hole.x, hole.y]);
    }
  });

  it("gives another panel for another seed, also beyond 32 bits and below zero", () => {
    const panels = [7, 8, -7, 7 + 2 ** 32, 2 ** 53 - 1].map((seed) =>
      JSON.stringify(holesOf({ ...jitter, seed })),
    );
    expect(new Set(panels).size).toBe(panels.length);
  });
});

describe("the border", () => {
  it("drops holes that cross it, by default", () => {
    expect(holesOf({}).some(({ clipped }) => clipped)).toBe(false);
  });

  it("clips holes that cross it in adapt mode, and leaves nothing of a hole outside", () => {
    const params = paramsOf({ borderMode: "adapt", pitch: 30, wall: 3, margin: 14 });
    const { holes, total } = layOut(params);
    expect(holes.some(({ clipped }) => clipped)).toBe(true);
    expect(holes.length).toBeLessThanOrEqual(total);
  });

  it("drops a clipped hole of which less than a fifth is left", () => {
    // Between the borders 0.6 mm are left: most of a slot along them is inside, and little of one across them.
    const slots = { shape: "slot", aspect: 0.05, width: 60, height: 20, margin: 9.7, borderMode: "adapt" };
    expect(holesOf({ ...slots, rot: 0 }).length).toBeGreaterThan(0);
    expect(holesOf({ ...slots, rot: 90 })).toHaveLength(0);
  });

  it("clips the holes of the outermost cells where the margin is 0, and drops none", () => {
    const body = { lattice: "grid", shape: "circle", pitch: 20, wall: 4, width: 80, height: 60, margin: 0 };
    const { total, holes } = layOut(paramsOf({ ...body, borderMode: "adapt" }));
    expect({ total, holes: holes.length }).toEqual({ total: 15, holes: 15 });
  });

  it("makes every hole of adapt mode that can be made, and no other", () => {
    let [made, clipped, left] = [0, 0, 0];
    for (const random of panels(2_000, 11)) {
      const still = { density: 1, jpos: 0, jrot: 0, jscale: 0 };
      const margin = [0, 0.1, 0.2, random.margin][random.seed % 4] as number;
      const params: Params = { ...random, ...still, margin, borderMode: "adapt" };
      const cells = cellsOf(params);
      if (cells.length > 200) continue;
      const holes = byCell(layOut(params).holes);
      for (const { i, j, share } of remainders(params)) {
        // How much is left is taken from a polygon, so that a share this near to a fifth may count either way.
        if (Math.abs(share - 0.2) < 0.01) continue;
        expect(holes.has(`${i},${j}`), `${share} of ${i},${j} of ${JSON.stringify(params)}`).toBe(
          share > 0.2,
        );
        if (share < 0.2) left++;
        else if (share < 1) clipped++;
        else made++;
      }
    }
    expect(Math.min(made, clipped, left)).toBeGreaterThan(20);
  });

  it("makes in adapt mode all that it makes in drop mode", () => {
    for (const params of panels(300, 12)) {
      const adapted = byCell(layOut({ ...params, borderMode: "adapt" }).holes);
      for (const hole of layOut({ ...params, borderMode: "drop" }).holes) {
        expect(adapted.get(keyOf(hole))).toEqual(hole);
      }
    }
  });
});

/** For each cell how much of its hole lies within the margin, and 0.2 mm from the outline; without any jitter. */
function remainders(params: Params): { i: number; j: number; share: number }[] {
  const turn = (params.rot % 360) * (Math.PI / 180);
  const size = largestSize(params, turn);
  if (size < 0.005) return [];
  const corners = pointsOf(cornersOf(regionOf(params, size, turn)));
  const edge = Math.max(params.margin, 0.2);
  return cellsOf(params).map(({ i, j, x, y }) => {
    const hole = corners.map(([dx, dy]): Point => [x + dx, y + dy]);
    const inside = [
      ([px]: Point) => px - edge,
      ([px]: Point) => params.width - edge - px,
      ([, py]: Point) => py - edge,
      ([, py]: Point) => params.height - edge - py,
    ].reduce(keepPositive, hole);
    return { i, j, share: areaOf(inside) / areaOf(hole) };
  });
}

type Point = readonly [x: number, y: number];

const pointsOf = (flat: Float64Array): Point[] =>
  Array.from({ length: flat.length / 2 }, (_, k) => [flat[2 * k] as number, flat[2 * k + 1] as number]);

/** The part of a convex polygon on which a linear function is positive (Sutherland and Hodgman, 1974). */
function keepPositive(polygon: readonly Point[], value: (point: Point) => number): Point[] {
  return polygon.flatMap((to, k) => {
    const from = polygon.at(k - 1) as Point;
    const [before, after] = [value(from), value(to)];
    const t = before / (before - after);
    const crossing: Point[] =
      before > 0 === after > 0 ? [] : [[from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])]];
    return after > 0 ? [...crossing, to] : crossing;
  });
}

const areaOf = (polygon: readonly Point[]): number =>
  polygon.reduce((sum, [x, y], k) => {
    const [px, py] = polygon.at(k - 1) as Point;
    return sum + (px * y - x * py) / 2;
  }, 0);
