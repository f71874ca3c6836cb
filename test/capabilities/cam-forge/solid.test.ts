import { describe, expect, it } from "vitest";
import { forge, prove } from "../../../src/capabilities/cam-forge/forge.ts";
import { LATTICES, SHAPES } from "../../../src/capabilities/cam-forge/params.ts";
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

describe("the border", () => {
  it.each([0, 0.1, 12])("stays solid, 0.2 mm at least, with a margin of %d", (margin) => {
    const params = paramsOf({ margin, shape: "square", cornerR: 0, lattice: "grid", pitch: 20, wall: 2 });
    const border = Math.max(margin, 0.2) - 1e-9;
    for (const { x, y, size } of forge(params).layout.holes) {
      expect(Math.min(x, y, params.width - x, params.height - y) - size).toBeGreaterThanOrEqual(border);
    }
  });
});
