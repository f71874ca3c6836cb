import { describe, expect, it } from "vitest";
import { forge, prove } from "../../../src/features/cam-forge/forge.ts";
import { gapBetween } from "../../../src/features/cam-forge/convex.ts";
import type { Rect } from "../../../src/features/cam-forge/lattice.ts";
import { STEPS_PER_MM } from "../../../src/features/cam-forge/loops.ts";
import { loopsOf } from "../../../src/features/cam-forge/mesh.ts";
import type { Hole } from "../../../src/features/cam-forge/shapes.ts";
import { LATTICES, SHAPES } from "../../../src/features/cam-forge/params.ts";
import { paramsOf } from "./support.ts";

const everyKind = LATTICES.flatMap((lattice) => SHAPES.map((shape) => ({ lattice, shape })));

describe("the STL of a panel", () => {
  it.each(everyKind)(
    "is watertight for $shape on $lattice, with sharp and with round corners, at any turn",
    (kind) => {
      for (const cornerR of [0, 1.5, 10]) {
        for (const rot of [0, 15, 33.3, 90]) {
          const params = paramsOf({ ...kind, cornerR, rot });
          const panel = forge(params);
          const found = prove(params, panel);
          expect(panel.layout.holes.length).toBeGreaterThan(50);
          expect(panel.statistics.minWebMm).toBeCloseTo(params.wall, 9);
          expect(found.genus).toBe(panel.layout.holes.length);
        }
      }
    },
  );

  it("has 159 hexagons, 15 mm across flats, by default", () => {
    const { layout } = forge(paramsOf({}));
    expect(layout.total).toBe(171);
    expect(layout.holes).toHaveLength(159);
    expect(2 * (layout.holes[0]?.size ?? 0)).toBeCloseTo(15, 12);
  });

  it("has four facets for each corner and hole, less what the outline saves", () => {
    const params = paramsOf({ shape: "square", cornerR: 0, lattice: "grid" });
    const panel = forge(params);
    const holes = panel.layout.holes.length;
    expect(prove(params, panel).triangles).toBe(4 * (4 * holes + 4) + 4 * holes - 4);
  });

  it("is a plain plate when no hole fits", () => {
    const params = paramsOf({ width: 10, height: 10, margin: 4.9, pitch: 6, wall: 1 });
    expect(prove(params, forge(params))).toMatchObject({ triangles: 12, genus: 0 });
  });

  it("is the same bytes each time", () => {
    expect(forge(paramsOf({})).bytes).toEqual(forge(paramsOf({})).bytes);
  });
});

describe("the mesh of a hole", () => {
  const bodies = SHAPES.flatMap((shape) => [
    { shape, pitch: 60, rot: 12 },
    { shape, pitch: 8, wall: 2, width: 100, height: 80 },
    { shape, pitch: 60, rot: 12, jpos: 1, jscale: 1, jrot: 45, borderMode: "adapt", margin: 20 },
  ]);

  it.each(bodies)("stays within 0.02 mm of the true curve, corners and chords, for %o", (body) => {
    const params = paramsOf(body);
    const layout = forge(params).layout;
    const { xy, starts } = loopsOf(params, layout);
    layout.holes.forEach((hole, index) => {
      const corners = xy
        .subarray(2 * (starts[index + 1] ?? 0), 2 * (starts[index + 2] ?? 0))
        .map((v) => v / STEPS_PER_MM);
      for (let k = 0; k < corners.length; k += 2) {
        const next = (k + 2) % corners.length;
        for (const t of [0, 0.5]) {
          const [x = 0, y = 0] = [0, 1].map(
            (axis) => (corners[k + axis] ?? 0) * (1 - t) + (corners[next + axis] ?? 0) * t,
          );
          expect(offCurve(hole, layout.bounds, x, y)).toBeLessThan(0.02);
        }
      }
    });
  });
});

/** How far a point is from the boundary of a hole, clipped or not, in mm. */
function offCurve({ region, x: cx, y: cy, clipped }: Hole, bounds: Rect, x: number, y: number): number {
  const off = Math.abs(gapBetween({ core: Float64Array.of(x - cx, y - cy), radius: 0 }, region));
  if (!clipped) return off;
  const toBorder = [x - bounds.x0, bounds.x1 - x, y - bounds.y0, bounds.y1 - y].map(Math.abs);
  return Math.min(off, ...toBorder);
}

describe("the border", () => {
  it.each([0, 0.1, 12])("stays solid, 0.2 mm at least, with a margin of %d", (margin) => {
    const params = paramsOf({ margin, shape: "square", cornerR: 0, lattice: "grid", pitch: 20, wall: 2 });
    const border = Math.max(margin, 0.2) - 1e-9;
    for (const { x, y, size } of forge(params).layout.holes) {
      expect(Math.min(x, y, params.width - x, params.height - y) - size).toBeGreaterThanOrEqual(border);
    }
  });
});
