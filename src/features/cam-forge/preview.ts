import sharp from "sharp";
import type { Layout } from "./layout.ts";
import { type Loops, STEPS_PER_MM } from "./loops.ts";
import { loopsOf } from "./mesh.ts";
import type { Params } from "./params.ts";
import { type Colour, type Convex, mix, Raster, spansOf } from "./raster.ts";

const WIDTH_PX = 480;
const HEIGHT_PX = 336;
const FRAME_PX = 27;

/** The camera looks down at the panel from in front of it and a little from its left, without perspective. */
const YAW = 0.42;
const ELEVATION = 0.92;

const SKY: Colour = [250, 251, 253];
const GROUND: Colour = [224, 230, 238];
const SHADOW: Colour = [120, 134, 152];
const FACE_LEFT: Colour = [246, 186, 118];
const FACE_RIGHT: Colour = [226, 128, 62];
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

/**
 * A shaded picture of a panel as a PNG: seen from above at an angle, light from the left and the front. It is drawn at
 * once and encoded in the background.
 */
export function previewPng(params: Params, layout: Layout): Promise<Uint8Array> {
  const raster = render(params, loopsOf(params, layout));
  return sharp(raster.toRows(), { raw: { width: WIDTH_PX, height: HEIGHT_PX, channels: 4 } })
    .removeAlpha()
    .png({ compressionLevel: 2 })
    .toBuffer();
}

function render(params: Params, loops: Loops): Raster {
  const raster = new Raster(WIDTH_PX, HEIGHT_PX);
  const camera = new Camera(params);
  raster.paint(spansOf(Float64Array.of(0, 0, WIDTH_PX, 0, WIDTH_PX, HEIGHT_PX, 0, HEIGHT_PX)), backdrop);
  const [outline, ...holes] = polygonsOf(loops).map((polygon) => camera.project(polygon));
  if (outline === undefined) return raster;
  drawShadow(raster, camera, outline);
  const { first, left, right } = spansOf(outline);
  const front = { first, left: right, right: right.map((bottom) => bottom + camera.drop) };
  raster.paint(front, wallColours(camera, outline));
  raster.paint({ first, left, right }, (column) => mix(FACE_LEFT, FACE_RIGHT, column / WIDTH_PX));
  for (const hole of holes) drawHole(raster, camera, hole);
  return raster;
}

const backdrop = (column: number): Colour => mix(SKY, GROUND, column / WIDTH_PX);

/** The panel's shadow on the ground below it, darker step by step from outside. */
function drawShadow(raster: Raster, camera: Camera, outline: Convex): void {
  const ground = outline.map((value, k) => value + (k % 2 === 0 ? SHADOW_X_PX : camera.drop + SHADOW_Y_PX));
  for (let step = SHADOW_STEPS; step > 0; step--) {
    const depth = (SHADOW_DEPTH * (SHADOW_STEPS + 1 - step)) / SHADOW_STEPS;
    const colourOf = (column: number): Colour => mix(backdrop(column), SHADOW, depth);
    raster.paint(spansOf(grown(ground, SHADOW_STEP_PX * step)), colourOf);
  }
}

/** Through a hole one sees, column by column, the far wall down to the panel's bottom, then the ground. */
function drawHole(raster: Raster, camera: Camera, hole: Convex): void {
  raster.paint(spansOf(grown(hole, RIM_PX)), () => RIM);
  const { first, left, right } = spansOf(hole);
  const foot = left.map((top, k) => Math.min(top + camera.drop, right[k] as number));
  raster.paint({ first, left, right: foot }, wallColours(camera, hole));
  raster.paint({ first, left: foot, right }, () => BELOW);
}

/** The colour that each column has of the walls that face the camera; loops have the solid on their right. */
function wallColours(camera: Camera, polygon: Convex): (column: number) => Colour {
  const colours: Colour[] = [];
  for (let k = 0, p = polygon.length - 2; k < polygon.length; p = k, k += 2) {
    const [ax, ay, bx, by] = [polygon[p], polygon[p + 1], polygon[k], polygon[k + 1]] as [
      number,
      number,
      number,
      number,
    ];
    if (bx >= ax) continue;
    const colour = mix(WALL_DARK, WALL_LIT, camera.lightOn(bx - ax, by - ay));
    for (let column = Math.floor(bx); column < ax; column++) colours[column] = colour;
  }
  return (column) => colours[column] ?? WALL_DARK;
}

/** A parallel projection that fits the panel into the picture. */
class Camera {
  readonly #scale: number;
  readonly #left: number;
  readonly #bottom: number;
  /** How far below its upper edge the lower edge of the panel is seen, in pixels. */
  readonly drop: number;

  constructor({ width, height, thickness }: Params) {
    const across = width * Math.cos(YAW) + height * Math.sin(YAW);
    const deep = (width * Math.sin(YAW) + height * Math.cos(YAW)) * Math.sin(ELEVATION);
    const tall = deep + thickness * Math.cos(ELEVATION);
    this.#scale = Math.min((WIDTH_PX - 2 * FRAME_PX) / across, (HEIGHT_PX - 2 * FRAME_PX) / tall);
    this.drop = thickness * Math.cos(ELEVATION) * this.#scale;
    this.#left = WIDTH_PX / 2 + (height * Math.sin(YAW) - across / 2) * this.#scale;
    this.#bottom = HEIGHT_PX / 2 + (deep - tall / 2) * this.#scale;
  }

  /** Corners in mm on the top face, as pixels. */
  project(corners: Float64Array): Convex {
    const seen = new Float64Array(corners.length);
    for (let k = 0; k < corners.length; k += 2) {
      const x = corners[k] as number;
      const y = corners[k + 1] as number;
      seen[k] = this.#left + (x * Math.cos(YAW) - y * Math.sin(YAW)) * this.#scale;
      seen[k + 1] =
        this.#bottom - (x * Math.sin(YAW) + y * Math.cos(YAW)) * Math.sin(ELEVATION) * this.#scale;
    }
    return seen;
  }

  /** How much light, 0 to 1, falls on the wall below an edge given in pixels, which faces the camera. */
  lightOn(dx: number, dy: number): number {
    const depth = dy / Math.sin(ELEVATION);
    return 0.5 - (0.275 * dx + 0.415 * depth) / Math.hypot(dx, depth);
  }
}

function polygonsOf({ xy, starts }: Loops): Float64Array[] {
  const polygons: Float64Array[] = [];
  for (let index = 0; index + 1 < starts.length; index++) {
    const corners = xy.subarray(2 * (starts[index] as number), 2 * (starts[index + 1] as number));
    polygons.push(corners.map((steps) => steps / STEPS_PER_MM));
  }
  return polygons;
}

/** A polygon blown up about its middle so that it reaches further by so many pixels. */
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
