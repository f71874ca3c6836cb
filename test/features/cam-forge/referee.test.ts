import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import jscad from "@jscad/modeling";
import { afterAll, describe, expect, it } from "vitest";
import { forge, type Panel, prove } from "../../../src/features/cam-forge/forge.ts";
import type { Params, Shape } from "../../../src/features/cam-forge/params.ts";
import type { Hole } from "../../../src/features/cam-forge/shapes.ts";
import { panels } from "./random-panels.ts";

/** How many panels other programs judge; 200 is the long run. */
const COUNT = Number(process.env["REFEREED"] ?? 12);
/** Panels with more holes take JSCAD too long. */
const MOST_HOLES = 60;
const SEGMENTS = 256;

const { booleans, expansions, extrusions, geometries, hulls, measurements, primitives, transforms } = jscad;
type Geom2 = ReturnType<typeof primitives.circle>;

const hasAdmesh = spawnSync("admesh", ["--version"]).error === undefined;
const folder = mkdtempSync(join(tmpdir(), "panels-"));
afterAll(() => rmSync(folder, { recursive: true }));

const POLYGONS: Partial<Record<Shape, [corners: number, first: number]>> = {
  hexagon: [6, 30],
  square: [4, 45],
  diamond: [4, 0],
  triangle: [3, 90],
};

/** A hole rebuilt by JSCAD from its place, turn and size alone. */
function rebuilt(params: Params, { x, y, turn, size, clipped }: Hole): Geom2 {
  const moved = transforms.translate([x, y, 0], transforms.rotateZ(turn, shapeOf(params, size)));
  if (!clipped) return moved;
  const border = Math.max(params.margin, 0.2);
  const inside = primitives.rectangle({
    center: [params.width / 2, params.height / 2],
    size: [params.width - 2 * border, params.height - 2 * border],
  });
  return booleans.intersect(moved, inside);
}

function shapeOf({ shape, cornerR, aspect }: Params, size: number): Geom2 {
  const disc = (radius: number): Geom2 => primitives.circle({ radius, segments: SEGMENTS });
  if (shape === "circle") return disc(size);
  if (shape === "slot") {
    const half = size / aspect - size;
    return hulls.hull(transforms.translateX(-half, disc(size)), transforms.translateX(half, disc(size)));
  }
  const [corners, first] = POLYGONS[shape] ?? [0, 0];
  const fillet = Math.min(cornerR, size);
  if (size - fillet < 1e-4) return disc(size);
  const radius = (size - fillet) / Math.cos(Math.PI / corners);
  const core = transforms.rotateZ((first * Math.PI) / 180, primitives.circle({ radius, segments: corners }));
  return fillet < 1e-4
    ? core
    : expansions.expand({ delta: fillet, corners: "round", segments: SEGMENTS }, core);
}

/** The sides of the panel without its holes: what its subtraction gives, without its hours. */
function plate({ width, height }: Params, holes: readonly Geom2[]): Geom2 {
  const outer = geometries.geom2.toSides(
    primitives.rectangle({ center: [width / 2, height / 2], size: [width, height] }),
  );
  const inner = holes.flatMap((hole) =>
    geometries.geom2.toSides(hole).map(([from, to]) => [to, from] as (typeof outer)[number]),
  );
  return geometries.geom2.create([...outer, ...inner]);
}

function* sample(count: number): Generator<{ params: Params; panel: Panel }> {
  for (const params of panels(20 * count, 99)) {
    if (count === 0) return;
    const solid = { ...params, format: "stl" } as const;
    const panel = forge(solid);
    if (panel.layout.holes.length === 0 || panel.layout.holes.length > MOST_HOLES) continue;
    count--;
    yield { params: solid, panel };
  }
}

describe("other programs agree", () => {
  it.skipIf(!hasAdmesh)(`admesh finds ${COUNT} panels closed, edge by edge`, () => {
    const file = join(folder, "panel.stl");
    let judged = 0;
    for (const { params, panel } of sample(COUNT)) {
      writeFileSync(file, panel.bytes);
      const report = execFileSync("admesh", ["--exact", file], { encoding: "utf8" });
      const told = (label: string): number[] =>
        (report.match(new RegExp(`${label}\\s*:(.*)`))?.[1]?.match(/[\d.]+/g) ?? []).map(Number);
      expect(told("Total disconnected facets"), JSON.stringify(params)).toEqual([0, 0]);
      expect(told("Degenerate facets")[0]).toBe(0);
      expect(told("Backwards edges")[0]).toBe(0);
      judged++;
    }
    expect(judged).toBe(COUNT);
  });

  it(`JSCAD rebuilds ${COUNT} panels with the same area and volume within 0.1 percent`, () => {
    let judged = 0;
    for (const { params, panel } of sample(COUNT)) {
      const holes = panel.layout.holes.map((hole) => rebuilt(params, hole));
      const open = holes.reduce((area, hole) => area + measurements.measureArea(hole), 0);
      const whole = params.width * params.height;
      expect(
        Math.abs((whole - open) / (whole - panel.statistics.openAreaMm2) - 1),
        JSON.stringify(params),
      ).toBeLessThan(0.001);
      const solid = extrusions.extrudeLinear({ height: params.thickness }, plate(params, holes));
      const volume = measurements.measureVolume(solid);
      expect(Math.abs(prove(params, panel).volumeMm3 / volume - 1), JSON.stringify(params)).toBeLessThan(
        0.001,
      );
      judged++;
    }
    expect(judged).toBe(COUNT);
  });
});
