import dxfParser from "dxf-parser";
import { describe, expect, it } from "vitest";
import { forge } from "../../../src/features/cam-forge/forge.ts";
import { SHAPES } from "../../../src/features/cam-forge/params.ts";
import { paramsOf } from "./support.ts";

// The package's types describe an ES module; what Node imports is the class itself.
const Parser = dxfParser as unknown as typeof dxfParser.default;

type Entity = {
  type: string;
  layer: string;
  shape?: boolean;
  vertices?: { x: number; y: number; bulge?: number }[];
  center?: { x: number; y: number };
  radius?: number;
};

const textOf = (body: Readonly<Record<string, unknown>>): string =>
  new TextDecoder().decode(forge(paramsOf(body)).bytes);

const parsed = (body: Readonly<Record<string, unknown>>) => {
  const dxf = new Parser().parseSync(textOf({ ...body, format: "dxf" }));
  if (dxf === null) throw new Error("no DXF");
  return { header: dxf.header, entities: dxf.entities as unknown as Entity[] };
};

/** Area and length of a closed polyline with bulges, or of a circle. */
function measured({ vertices = [], radius }: Entity): { area: number; length: number } {
  if (radius !== undefined) return { area: Math.PI * radius ** 2, length: 2 * Math.PI * radius };
  let [area, length] = [0, 0];
  vertices.forEach(({ x, y, bulge = 0 }, k) => {
    const to = vertices[(k + 1) % vertices.length] ?? { x, y };
    const chord = Math.hypot(to.x - x, to.y - y);
    const sweep = 4 * Math.atan(bulge);
    const r = bulge === 0 ? 0 : chord / 2 / Math.sin(sweep / 2);
    area += (x * to.y - to.x * y) / 2 + (r * r * (sweep - Math.sin(sweep))) / 2;
    length += bulge === 0 ? chord : r * sweep;
  });
  return { area, length };
}

const sum = (entities: readonly Entity[], key: "area" | "length"): number =>
  entities.reduce((total, entity) => total + measured(entity)[key], 0);

const variants = SHAPES.flatMap((shape) => [
  { shape, rot: 10 },
  { shape, borderMode: "adapt", jpos: 0.7, jrot: 20, jscale: 0.5, density: 0.8, margin: 3, cornerR: 0 },
]);

describe("the DXF of a panel", () => {
  it.each(variants)(
    "has each hole closed on HOLES, then the outline, with the area and length told, for %o",
    (body) => {
      const { entities } = parsed(body);
      const { layout, statistics } = forge(paramsOf(body));
      const holes = entities.slice(0, -1);
      expect(holes).toHaveLength(layout.holes.length);
      expect(holes.every(({ layer }) => layer === "HOLES")).toBe(true);
      expect(entities.at(-1)).toMatchObject({ type: "LWPOLYLINE", layer: "OUTLINE" });
      expect(entities.every(({ type, shape }) => type === "CIRCLE" || (type === "LWPOLYLINE" && shape))).toBe(
        true,
      );
      expect(sum(holes, "area") / statistics.openAreaMm2).toBeCloseTo(1, 4);
      expect(sum(entities, "length") / statistics.cutLengthMm).toBeCloseTo(1, 4);
    },
  );

  it("is in millimetres", () => {
    expect(parsed({}).header["$INSUNITS"]).toBe(4);
  });

  it("has circles for circles, at their centres", () => {
    const body = { shape: "circle", width: 80, height: 50 };
    const { entities } = parsed(body);
    forge(paramsOf(body)).layout.holes.forEach(({ x, y, size }, k) => {
      const { type, center, radius } = entities[k] as Entity;
      expect([type, center?.x, center?.y, radius]).toEqual([
        "CIRCLE",
        expect.closeTo(x, 3),
        expect.closeTo(y, 3),
        expect.closeTo(size, 3),
      ]);
    });
  });

  it("writes no exponent, no minus zero and no more than four decimals", () => {
    const lines = textOf({ format: "dxf", width: 500, height: 500, pitch: 30, rot: 0.001, cornerR: 0 }).split(
      "\n",
    );
    const lengths = lines.flatMap((line, k) =>
      k % 2 === 0 && /^\s*(10|20|40|42)$/.test(line) ? [lines[k + 1] ?? ""] : [],
    );
    expect(lengths.length).toBeGreaterThan(1_000);
    expect(lengths.filter((text) => !/^-?\d+(\.\d{1,4})?$/.test(text) || text === "-0")).toEqual([]);
  });
});

describe("the SVG of a panel", () => {
  const svg = textOf({ format: "svg", rot: 10 });

  it("is in millimetres with one element for each hole and the outline last", () => {
    expect(svg).toMatch(/^<svg [^>]*width="300mm" height="200mm" viewBox="0 0 300 200"/);
    expect(svg.match(/class="hole"/g)).toHaveLength(forge(paramsOf({ rot: 10 })).layout.holes.length);
    expect(svg.lastIndexOf('class="hole"')).toBeLessThan(svg.indexOf('class="outline"'));
  });

  it("has y flipped: the first hole, of the lowest row, is at the bottom of the page", () => {
    const text = textOf({ format: "svg", shape: "circle" });
    const [first] = forge(paramsOf({ shape: "circle" })).layout.holes;
    expect(Number(text.match(/cy="([^"]*)"/)?.[1])).toBeCloseTo(200 - (first?.y ?? 0), 3);
  });

  it("draws the corners and arcs that the DXF has", () => {
    for (const body of variants) {
      const paths = [...textOf({ ...body, format: "svg" }).matchAll(/<path class="hole" d="M([^"]*)Z"/g)];
      const polylines = parsed(body)
        .entities.slice(0, -1)
        .filter(({ vertices }) => vertices !== undefined);
      expect(paths).toHaveLength(polylines.length);
      paths.forEach(([, d], k) => {
        const { vertices = [] } = polylines[k] as Entity;
        expect(d?.match(/A/g) ?? []).toHaveLength(vertices.filter(({ bulge }) => bulge).length);
        const [x, y] = (d ?? "").split(/[LA]/)[0]?.split(" ").map(Number) ?? [];
        expect([x, y]).toEqual([
          expect.closeTo(vertices[0]?.x ?? NaN, 3),
          expect.closeTo(200 - (vertices[0]?.y ?? NaN), 3),
        ]);
      });
    }
  });
});

describe("kerf", () => {
  it.each(SHAPES)("moves %s holes inward and the outline outward by half of it", (shape) => {
    const body = { shape, kerf: 0.4, rot: 10 };
    const [nominal, cut] = [parsed({ ...body, kerf: 0 }).entities, parsed(body).entities];
    const outline = cut.at(-1)?.vertices?.map(({ x, y }) => [x, y]);
    expect(outline).toEqual([
      [-0.2, -0.2],
      [300.2, -0.2],
      [300.2, 200.2],
      [-0.2, 200.2],
    ]);
    nominal.slice(0, -1).forEach((hole, k) => {
      // A convex curve moved inward by d within its fillets: the area shrinks by length x d less pi d^2.
      const { area, length } = measured(hole);
      expect(measured(cut[k] as Entity).area).toBeCloseTo(area - length * 0.2 + Math.PI * 0.04, 1);
    });
  });

  it("moves sharp corners in as sharp corners", () => {
    const body = { shape: "square", cornerR: 0, lattice: "grid" };
    const [nominal, cut] = [parsed(body).entities[0], parsed({ ...body, kerf: 1 }).entities[0]];
    const side = Math.sqrt(measured(nominal as Entity).area);
    expect(measured(cut as Entity).area).toBeCloseTo((side - 1) ** 2, 2);
  });

  it("changes neither the solid nor the statistics", () => {
    expect(forge(paramsOf({ kerf: 1 }))).toEqual(forge(paramsOf({})));
  });
});
