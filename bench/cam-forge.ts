/**
 * cam-forge beside the libraries that could have made the same panel. All in one run, medians, as ratios to ours:
 *   node bench/cam-forge.ts [--slow]
 * Ours starts at the parameters and ends at checked bytes; a peer starts at the finished hole polygons, for free, and
 * ends at unchecked STL bytes. `--slow` adds what takes tens of seconds (JSCAD's subtraction).
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import jscad from "@jscad/modeling";
import manifoldModule from "manifold-3d";
import { ExtrudeGeometry, Mesh, Path, Shape, Vector2 } from "three";
import { STLExporter } from "three/examples/jsm/exporters/STLExporter.js";
import { forge, prove } from "../src/features/cam-forge/forge.ts";
import { layOut } from "../src/features/cam-forge/layout.ts";
import { STEPS_PER_MM } from "../src/features/cam-forge/loops.ts";
import { loopsOf } from "../src/features/cam-forge/mesh.ts";
import { type Params, paramsSchema } from "../src/features/cam-forge/params.ts";
import { checkWatertight } from "../src/features/cam-forge/watertight.ts";

type Point = [x: number, y: number];
type Panel = {
  readonly name: string;
  readonly params: Params;
  readonly outline: Point[];
  readonly holes: Point[][];
};
/** `runs`: how often it is timed, and all but one of that often it is run before. */
type Engine = { readonly name: string; readonly runs: number; readonly make: (panel: Panel) => Uint8Array };
type Facets = Iterable<readonly [readonly number[], readonly number[], readonly number[]]>;

const slow = process.argv.includes("--slow");
const manifold = await manifoldModule();
manifold.setup();
const { booleans, extrusions, geometries, primitives } = jscad;

/** A binary STL of triangles, for the peers that have none of their own. */
function stlOf(count: number, facets: Facets): Uint8Array {
  const bytes = new Uint8Array(84 + 50 * count);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, count, true);
  let at = 84;
  for (const facet of facets) {
    let float = at + 12;
    for (const corner of facet) {
      for (const value of corner) {
        view.setFloat32(float, value, true);
        float += 4;
      }
    }
    at += 50;
  }
  return bytes;
}

type Geom2 = ReturnType<typeof primitives.rectangle>;

function jscadStl(area: Geom2, thickness: number): Uint8Array {
  const solid = extrusions.extrudeLinear({ height: thickness }, area);
  const polygons = geometries.geom3.toPolygons(solid);
  const fans = polygons.flatMap(({ vertices }) =>
    vertices
      .slice(2)
      .map((corner, k) => [vertices[0], vertices[k + 1], corner] as [number[], number[], number[]]),
  );
  return stlOf(fans.length, fans);
}

function jscadSubtract({ params, outline, holes }: Panel): Uint8Array {
  const cut = holes.map((points) => primitives.polygon({ points }));
  return jscadStl(booleans.subtract(primitives.polygon({ points: outline }), ...cut), params.thickness);
}

function jscadSides({ params, outline, holes }: Panel): Uint8Array {
  const sides = [outline, ...holes.map((hole) => hole.toReversed())].flatMap((points) =>
    points.map((point, k) => [points.at(k - 1) as Point, point] as [Point, Point]),
  );
  return jscadStl(geometries.geom2.create(sides), params.thickness);
}

const vectors = (points: Point[]): Vector2[] => points.map(([x, y]) => new Vector2(x, y));

function threeExtrude({ params, outline, holes }: Panel): Uint8Array {
  const shape = new Shape(vectors(outline));
  shape.holes = holes.map((points) => new Path(vectors(points)));
  const geometry = new ExtrudeGeometry(shape, { depth: params.thickness, bevelEnabled: false });
  const view = new STLExporter().parse(new Mesh(geometry), { binary: true });
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function manifoldExtrude({ params, outline, holes }: Panel): Uint8Array {
  const section = new manifold.CrossSection([outline, ...holes.map((hole) => hole.toReversed())], "EvenOdd");
  const solid = section.extrude(params.thickness);
  const { vertProperties, triVerts, numProp, numTri } = solid.getMesh();
  const corner = (k: number): Float32Array => {
    const at = (triVerts[k] as number) * numProp;
    return vertProperties.subarray(at, at + 3);
  };
  const facets = function* (): Generator<[number[], number[], number[]]> {
    for (let k = 0; k < 3 * numTri; k += 3) yield [corner(k), corner(k + 1), corner(k + 2)] as never;
  };
  const bytes = stlOf(numTri, facets());
  solid.delete();
  section.delete();
  return bytes;
}

const folder = mkdtempSync(join(tmpdir(), "bench-"));

function openscad({ params, outline, holes }: Panel): Uint8Array {
  const loops = [outline, ...holes];
  const ends = loops.map(
    (
      (sum) => (loop: Point[]) =>
        (sum += loop.length)
    )(0),
  );
  const paths = loops.map((loop, k) => loop.map((_, corner) => (ends[k] as number) - loop.length + corner));
  const scad = `linear_extrude(${params.thickness}) polygon(${JSON.stringify(loops.flat())}, ${JSON.stringify(paths)});`;
  const [source, target] = [join(folder, "panel.scad"), join(folder, "panel.stl")];
  writeFileSync(source, scad);
  execFileSync("openscad", ["--export-format", "binstl", "-o", target, source], { stdio: "ignore" });
  return readFileSync(target);
}

const hasOpenscad = spawnSync("openscad", ["--version"]).error === undefined;

const peers: Engine[] = [
  { name: "manifold-3d cross-section + extrude", runs: 15, make: manifoldExtrude },
  { name: "three ExtrudeGeometry + STLExporter", runs: 15, make: threeExtrude },
  { name: "JSCAD geom2 of sides + extrude", runs: 9, make: jscadSides },
  ...(hasOpenscad ? [{ name: "OpenSCAD polygon + linear_extrude", runs: 5, make: openscad }] : []),
  ...(slow ? [{ name: "JSCAD 2D subtract + extrude", runs: 1, make: jscadSubtract }] : []),
];

function panelOf(name: string, body: object): Panel {
  const params = paramsSchema.parse(body);
  const { xy, starts } = loopsOf(params, layOut(params));
  const loops: Point[][] = [];
  for (let k = 0; k + 1 < starts.length; k++) {
    const corners = xy.subarray(2 * (starts[k] as number), 2 * (starts[k + 1] as number));
    loops.push(
      Array.from(
        { length: corners.length / 2 },
        (_, c) =>
          [corners[2 * c] as number, corners[2 * c + 1] as number].map((v) => v / STEPS_PER_MM) as Point,
      ),
    );
  }
  const [outline, ...holes] = loops;
  return { name, params, outline: (outline as Point[]).toReversed(), holes };
}

const WARM_UP = 40;
const ROUNDS = 15;
const OURS_EACH_ROUND = 5;

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] as number;

/** Times everything in turns, so that other work on the machine falls on all alike. */
function compare(panel: Panel): void {
  const { params } = panel;
  const made = forge(params);
  const found = prove(params, made);
  const ours = { whole: [] as number[], making: [] as number[], checking: [] as number[] };
  const theirs = peers.map(({ make }) => ({
    times: [] as number[],
    bytes: slow ? new Uint8Array() : make(panel),
  }));
  for (let run = 0; run < WARM_UP; run++) prove(params, forge(params));
  for (const { runs, make } of peers) for (let run = 1; run < runs; run++) make(panel);
  for (let round = 0; round < ROUNDS; round++) {
    for (let run = 0; run < OURS_EACH_ROUND; run++) {
      ours.whole.push(timed(() => prove(params, forge(params))));
      ours.making.push(timed(() => forge(params)));
      ours.checking.push(timed(() => prove(params, made)));
    }
    for (const [index, { runs, make }] of peers.entries()) {
      const their = theirs[index];
      if (round >= runs || their === undefined) continue;
      their.times.push(timed(() => (their.bytes = make(panel))));
    }
  }
  report(panel, found.triangles, ours, theirs);
}

type Times = { readonly whole: number[]; readonly making: number[]; readonly checking: number[] };

function report(
  { name, holes }: Panel,
  triangles: number,
  ours: Times,
  theirs: readonly { readonly times: readonly number[]; readonly bytes: Uint8Array }[],
): void {
  const [whole, making, checking] = [median(ours.whole), median(ours.making), median(ours.checking)];
  console.log(`\n${name}: ${holes.length} holes, ${triangles} facets`);
  console.log(`  cam-forge, parameters to checked bytes   ${whole.toFixed(2).padStart(9)} ms`);
  console.log(
    `    making ${making.toFixed(2)} ms, checking ${checking.toFixed(2)} ms: ${(checking / making).toFixed(2)} of making`,
  );
  for (const [index, { times, bytes }] of theirs.entries()) {
    const ms = median(times);
    const { faults } = checkWatertight(bytes, { genus: holes.length });
    const verdict = faults.length === 0 ? "valid" : `NOT VALID (${faults[0]})`;
    const label = (peers[index]?.name ?? "").padEnd(38);
    console.log(
      `  ${label} ${ms.toFixed(2).padStart(11)} ms  ${(ms / whole).toFixed(1).padStart(8)} x  ${verdict}`,
    );
  }
}

/** The most memory that a worker thread holds while it makes and checks the largest panel, over an idle one's. */
function workerMemory(): Promise<number> {
  const source = `
    import { parentPort } from "node:worker_threads";
    import { forge, prove } from ${JSON.stringify(new URL("../src/features/cam-forge/forge.ts", import.meta.url).href)};
    import { paramsSchema } from ${JSON.stringify(new URL("../src/features/cam-forge/params.ts", import.meta.url).href)};
    const params = paramsSchema.parse(${JSON.stringify(LARGEST)});
    let peak = 0;
    for (let run = 0; run < 20; run++) {
      const panel = forge(params);
      prove(params, panel);
      const { heapTotal, external } = process.memoryUsage();
      peak = Math.max(peak, heapTotal + external);
    }
    parentPort.postMessage(peak / 2 ** 20);`;
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`));
    worker.once("message", resolve).once("error", reject);
  });
}

const LARGEST = {
  shape: "circle",
  width: 500,
  height: 480,
  pitch: 20.4,
  wall: 1,
  margin: 0,
  lattice: "grid",
};

console.log(`Node ${process.version}, ${availableParallelism()} cores`);
compare(panelOf("default panel", {}));
compare(panelOf("563 circles", { shape: "circle", width: 300, height: 250, pitch: 11 }));
console.log(
  `\nworker thread on the largest panel: peak ${(await workerMemory()).toFixed(0)} MB of heap and buffers`,
);
rmSync(folder, { recursive: true });
