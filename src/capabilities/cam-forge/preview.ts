import sharp from "sharp";
import type { Layout } from "./layout.ts";
import { type Loops, STEPS_PER_MM } from "./loops.ts";
import { loopsOf } from "./mesh.ts";
import type { Params } from "./params.ts";
import { type Colour, common, type Convex, mix, Raster, spansOf } from "./raster.ts";

const WIDTH_PX = 640;
const HEIGHT_PX = 448;
const FRAME_PX = 36;

/** The camera looks down at the panel from in front of it and a little from its left, without perspective. */
const YAW = 0.42;
const ELEVATION = 0.92;

const SKY: Colour = [250, 251, 253];
const GROUND: Colour = [222, 228, 236];
const SHADOW: Colour = [120, 134, 152];
const FACE_FAR: Colour = [246, 190, 122];
const FACE_NEAR: Colour = [226, 128, 62];
const RIM: Colour = [255, 224, 178];
const WALL_LIT: Colour = [222, 138, 78];
const WALL_DARK: Colour = [112, 54, 30];
const BELOW: Colour = [146, 158, 174];

/** The bright edge around a hole. */
const RIM_PX = 0.8;

/** Where the light throws the shadow. */
const SHADOW_X_PX = 5;
const SHADOW_Y_PX = 7;

/** The soft edge of the shadow on the ground: how many steps, how wide each is, how dark all of them are. */
const SHADOW_STEPS = 6;
const SHADOW_STEP_PX = 2;
const SHADOW_DEPTH = 0.45;

/** A shaded picture of a panel as a PNG: seen from above at an angle, light from the left and the front. */
export function previewPng(params: Params, layout: Layout): Promise<Uint8Array> {
  const { rgba, width, height } = render(params, loopsOf(params, layout));
  return sharp(rgba, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png({ compressionLevel: 3 })
    .toBuffer();
}

function render(params: Params, loops: Loops): Raster {
  const raster = new Raster(WIDTH_PX, HEIGHT_PX);
  const camera = new Camera(params);
  raster.fill(spansOf(Float64Array.of(0, 0, WIDTH_PX, 0, WIDTH_PX, HEIGHT_PX, 0, HEIGHT_PX)), backdrop);
  const [outline, ...holes] = polygonsOf(loops).map((polygon) => camera.project(polygon));
  if (outline === undefined) return raster;
  drawShadow(raster, camera, outline);
  for (const { quad, colour } of facingWalls(camera, outline)) raster.fill(spansOf(quad), () => colour);
  raster.fill(spansOf(outline), (row) => mix(FACE_FAR, FACE_NEAR, row / HEIGHT_PX));
  for (const hole of holes) drawHole(raster, camera, hole);
  return raster;
}

const backdrop = (row: number): Colour => mix(SKY, GROUND, row / HEIGHT_PX);

/** The panel's shadow on the ground below it, darker step by step from outside. */
function drawShadow(raster: Raster, camera: Camera, outline: Convex): void {
  const ground = moved(outline, SHADOW_X_PX, camera.drop + SHADOW_Y_PX);
  for (let step = SHADOW_STEPS; step > 0; step--) {
    const depth = (SHADOW_DEPTH * (SHADOW_STEPS + 1 - step)) / SHADOW_STEPS;
    raster.fill(spansOf(grown(ground, SHADOW_STEP_PX * step)), (row) => mix(backdrop(row), SHADOW, depth));
  }
}

/** Through a hole one sees the walls that face the camera, and where the bottom's opening shows, the ground. */
function drawHole(raster: Raster, camera: Camera, hole: Convex): void {
  const opening = spansOf(hole);
  raster.fill(spansOf(grown(hole, RIM_PX)), () => RIM);
  raster.fill(opening, () => WALL_DARK);
  for (const { quad, colour } of facingWalls(camera, hole)) {
    raster.fill(common(opening, spansOf(quad)), () => colour);
  }
  raster.fill(common(opening, spansOf(moved(hole, 0, camera.drop))), () => BELOW);
}

type Wall = { readonly quad: Convex; readonly colour: Colour };

/** The walls below the edges of a polygon that face the camera: loops have the solid on their right. */
function* facingWalls(camera: Camera, polygon: Convex): Generator<Wall> {
  for (let k = 0, p = polygon.length - 2; k < polygon.length; p = k, k += 2) {
    const [ax, ay, bx, by] = [polygon[p], polygon[p + 1], polygon[k], polygon[k + 1]] as [
      number,
      number,
      number,
      number,
    ];
    if (bx >= ax) continue;
    const light = camera.lightOn(bx - ax, by - ay);
    const quad = Float64Array.of(ax, ay, bx, by, bx, by + camera.drop, ax, ay + camera.drop);
    yield { quad, colour: mix(WALL_DARK, WALL_LIT, light) };
  }
}

/** A parallel projection that fits the panel into the picture. */
class Camera {
  readonly #scale: number;
  readonly #offset: readonly [number, number];
  /** How far below its upper edge the lower edge of the panel is seen, in pixels. */
  readonly drop: number;

  constructor({ width, height, thickness }: Params) {
    const across = width * Math.cos(YAW) + height * Math.sin(YAW);
    const deep = (width * Math.sin(YAW) + height * Math.cos(YAW)) * Math.sin(ELEVATION);
    const tall = deep + thickness * Math.cos(ELEVATION);
    const scale = Math.min((WIDTH_PX - 2 * FRAME_PX) / across, (HEIGHT_PX - 2 * FRAME_PX) / tall);
    this.#scale = scale;
    this.drop = thickness * Math.cos(ELEVATION) * scale;
    const left = (WIDTH_PX - across * scale) / 2 + height * Math.sin(YAW) * scale;
    this.#offset = [left, (HEIGHT_PX - tall * scale) / 2 + deep * scale];
  }

  /** Corners in mm on the top face, as pixels. */
  project(corners: Float64Array): Convex {
    const seen = new Float64Array(corners.length);
    for (let k = 0; k < corners.length; k += 2) {
      const x = corners[k] as number;
      const y = corners[k + 1] as number;
      const right = x * Math.cos(YAW) - y * Math.sin(YAW);
      const away = x * Math.sin(YAW) + y * Math.cos(YAW);
      seen[k] = this.#offset[0] + right * this.#scale;
      seen[k + 1] = this.#offset[1] - away * Math.sin(ELEVATION) * this.#scale;
    }
    return seen;
  }

  /** How much light, 0 to 1, falls on the wall below an edge given in pixels. */
  lightOn(dx: number, dy: number): number {
    const depth = dy / Math.sin(ELEVATION);
    const length = Math.hypot(dx, depth);
    // The wall faces the camera, to the right of the edge on the page; light comes from the left and the front.
    return 0.5 + 0.5 * ((0.55 * -dx) / length + (0.83 * -depth) / length);
  }
}

function polygonsOf({ xy, starts }: Loops): Float64Array[] {
  const polygons: Float64Array[] = [];
  for (let index = 0; index + 1 < starts.length; index++) {
    polygons.push(
      xy.slice(2 * (starts[index] as number), 2 * (starts[index + 1] as number)).map((v) => v / STEPS_PER_MM),
    );
  }
  return polygons;
}

const moved = (polygon: Convex, x: number, y: number): Convex =>
  polygon.map((value, index) => value + (index % 2 === 0 ? x : y));

/** A polygon blown up about its middle so that it reaches further by about so many pixels. */
function grown(polygon: Convex, by: number): Convex {
  const corners = polygon.length / 2;
  let [cx, cy] = [0, 0];
  for (let k = 0; k < polygon.length; k += 2) {
    cx += (polygon[k] as number) / corners;
    cy += (polygon[k + 1] as number) / corners;
  }
  const out = new Float64Array(polygon.length);
  for (let k = 0; k < polygon.length; k += 2) {
    const dx = (polygon[k] as number) - cx;
    const dy = (polygon[k + 1] as number) - cy;
    const scale = 1 + by / Math.hypot(dx, dy);
    out[k] = cx + dx * scale;
    out[k + 1] = cy + dy * scale;
  }
  return out;
}
