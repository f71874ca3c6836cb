import { describe, expect, it } from "vitest";
import { forge, prove } from "../../../src/features/cam-forge/forge.ts";
import { checkWatertight } from "../../../src/features/cam-forge/watertight.ts";
import { paramsOf } from "./support.ts";

const PREAMBLE = 84;
const FACET = 50;

const params = paramsOf({ width: 60, height: 40, thickness: 3, margin: 4, pitch: 12, wall: 2 });
const panel = forge(params);
const genus = panel.layout.holes.length;

const facetsOf = (bytes: Uint8Array): number => (bytes.length - PREAMBLE) / FACET;
const facet = (bytes: Uint8Array, index: number): Uint8Array =>
  bytes.slice(PREAMBLE + index * FACET, PREAMBLE + (index + 1) * FACET);

/** The panel with its facets replaced and their count brought up to date. */
function withFacets(facets: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.concat([panel.bytes.slice(0, PREAMBLE), ...facets]);
  bytes.writeUInt32LE(facets.length, PREAMBLE - 4);
  return bytes;
}

const facets = (bytes = panel.bytes): Uint8Array[] =>
  Array.from({ length: facetsOf(bytes) }, (_, index) => facet(bytes, index));

/** A facet with its second and third corner exchanged. */
function flipped(of: Uint8Array): Uint8Array {
  const turned = Uint8Array.from(of);
  turned.set(of.slice(24, 36), 36);
  turned.set(of.slice(36, 48), 24);
  return turned;
}

/** A copy of the panel in which the float at a byte of a facet is changed. */
function withFloat(index: number, byte: number, change: (value: number) => number): Uint8Array {
  const bytes = Uint8Array.from(panel.bytes);
  const view = new DataView(bytes.buffer);
  const at = PREAMBLE + index * FACET + byte;
  view.setFloat32(at, change(view.getFloat32(at, true)), true);
  return bytes;
}

function nextFloat(value: number): number {
  const bits = new Int32Array(Float32Array.of(value).buffer);
  bits[0] = (bits[0] as number) + 1;
  return new Float32Array(bits.buffer)[0] as number;
}

/** A closed tetrahedron of 12-byte corners far from the panel. */
function tetrahedron(at: number): Uint8Array[] {
  const corners = [
    [at, at, at],
    [at + 1, at, at],
    [at, at + 1, at],
    [at, at, at + 1],
  ];
  return [
    [0, 2, 1],
    [0, 1, 3],
    [1, 2, 3],
    [0, 3, 2],
  ].map((indices) => {
    const bytes = new Uint8Array(FACET);
    const view = new DataView(bytes.buffer);
    indices
      .flatMap((corner) => corners[corner] ?? [])
      .forEach((value, k) => view.setFloat32(12 + 4 * k, value, true));
    return bytes;
  });
}

const faults: readonly [what: string, bytes: () => Uint8Array, fault: RegExp][] = [
  ["an open edge, where a facet is missing", () => withFacets(facets().slice(1)), /3 open edges/],
  [
    "a flipped facet",
    () => withFacets(facets().with(9, flipped(facet(panel.bytes, 9)))),
    /not shared by two opposite/,
  ],
  ["a normal that contradicts its facet", () => withFloat(0, 8, (z) => -z), /normal contradicts/],
  ["a coordinate that is not a number", () => withFloat(7, 16, () => NaN), /not finite/],
  ["an infinite coordinate", () => withFloat(7, 40, () => Infinity), /not finite/],
  ["an infinite normal", () => withFloat(7, 0, () => -Infinity), /not finite/],
  [
    "a degenerate facet, of two equal corners",
    () => withFacets([...facets(), collapsed(facet(panel.bytes, 3))]),
    /without area/,
  ],
  [
    "a facet without area, of three corners in line",
    () => withFacets([...facets(), inLine()]),
    /without area/,
  ],
  ["a crack of one unit in the last place", () => withFloat(20, 12, nextFloat), /open edges/],
  ["a duplicate facet", () => withFacets([...facets(), facet(panel.bytes, 5)]), /not shared by two opposite/],
  ["an inside-out solid", () => withFacets(facets().map(flipped)), /is not positive/],
  ["a truncated file", () => panel.bytes.slice(0, -FACET), /the file has/],
  ["a file that ends within a facet", () => panel.bytes.slice(0, -7), /the file has/],
  ["a file that ends within its header", () => panel.bytes.slice(0, 83), /too few/],
  ["a wrong facet count", () => withCount(facetsOf(panel.bytes) + 1), /the file has/],
  ["a count of no facets", () => withCount(0).slice(0, PREAMBLE), /no facets/],
  ["a loose second component", () => withFacets([...facets(), ...tetrahedron(100)]), /2 separate pieces/],
  [
    "a second solid that touches at an edge",
    () => withFacets([...facets(), ...facets(shifted(60))]),
    /not shared by two opposite/,
  ],
];

function collapsed(of: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(of);
  bytes.set(of.slice(12, 24), 24);
  return bytes;
}

function inLine(): Uint8Array {
  const bytes = new Uint8Array(FACET);
  const view = new DataView(bytes.buffer);
  [0, 0, 0, 30, 0, 0, 60, 0, 0].forEach((value, k) => view.setFloat32(12 + 4 * k, value, true));
  return bytes;
}

function withCount(count: number): Uint8Array {
  const bytes = Uint8Array.from(panel.bytes);
  new DataView(bytes.buffer).setUint32(PREAMBLE - 4, count, true);
  return bytes;
}

/** The panel moved along x and up by its thickness, so that it shares one edge with the first. */
function shifted(by: number): Uint8Array {
  const bytes = Uint8Array.from(panel.bytes);
  const view = new DataView(bytes.buffer);
  for (let at = PREAMBLE; at < bytes.length; at += FACET) {
    for (let corner = 12; corner < 48; corner += 12) {
      view.setFloat32(at + corner, view.getFloat32(at + corner, true) + by, true);
      view.setFloat32(at + corner + 8, view.getFloat32(at + corner + 8, true) + 3, true);
    }
  }
  return bytes;
}

describe("the check of the produced bytes", () => {
  it("finds nothing wrong with a sound panel, and counts it right", () => {
    const found = checkWatertight(panel.bytes);
    expect(found).toMatchObject({ faults: [], boundaryEdges: 0, nonManifoldEdges: 0, components: 1, genus });
    expect(found.edges).toBe((3 * found.triangles) / 2);
  });

  it("reads bytes that start anywhere in their buffer", () => {
    const shiftedBytes = new Uint8Array(panel.bytes.length + 3).subarray(3);
    shiftedBytes.set(panel.bytes);
    expect(checkWatertight(shiftedBytes)).toEqual(checkWatertight(panel.bytes));
  });

  it.each(faults)("finds %s", (_what, bytes, fault) => {
    expect(checkWatertight(bytes()).faults.join("; ")).toMatch(fault);
  });

  it("finds a wrong genus, volume and extent", () => {
    expect(checkWatertight(panel.bytes, { genus: genus - 1 }).faults).toEqual([
      `genus ${genus}, expected ${genus - 1}`,
    ]);
    expect(checkWatertight(panel.bytes, { volumeMm3: 1 }).faults).toHaveLength(1);
    expect(checkWatertight(panel.bytes, { size: [60, 40, 3.01] }).faults).toHaveLength(1);
  });

  it("makes a panel with any of these faults fail as not_watertight", () => {
    for (const [, bytes] of faults) {
      expect(() => prove(params, { ...panel, bytes: bytes() })).toThrow(
        expect.objectContaining({ code: "not_watertight" }),
      );
    }
  });

  it("reads files of any few facets, and of corners that no two facets share", () => {
    for (let count = 1; count <= 40; count++) {
      const loose = Array.from({ length: count }, (_, k) => tetrahedron(10 * k)[0] as Uint8Array);
      const found = checkWatertight(withFacets(loose));
      expect(found).toMatchObject({ triangles: count, components: count, boundaryEdges: 3 * count });
      expect(checkWatertight(withFacets(facets().slice(0, count))).faults).not.toEqual([]);
    }
  });

  it("never throws, whatever the bytes", () => {
    let state = 1;
    for (let run = 0; run < 300; run++) {
      const bytes = Uint8Array.from(panel.bytes);
      for (let hit = 0; hit < 20; hit++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        bytes[state % bytes.length] = state >>> 24;
      }
      expect(Array.isArray(checkWatertight(bytes).faults)).toBe(true);
    }
  });
});
