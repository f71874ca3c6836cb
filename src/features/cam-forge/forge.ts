import { InputFault } from "../../core/errors.ts";
import { draw } from "./drawing.ts";
import { dxfOf } from "./dxf.ts";
import { layOut, type Layout } from "./layout.ts";
import { loopsOf } from "./mesh.ts";
import type { Params } from "./params.ts";
import { measure, type Statistics } from "./statistics.ts";
import { prismStl } from "./stl.ts";
import { svgOf } from "./svg.ts";
import { read3mf } from "./threemf-reader.ts";
import { prism3mf } from "./threemf.ts";
import { triangulate } from "./triangulation.ts";
import { checkWatertight, type Watertightness } from "./watertight.ts";

/** A panel as a file, with what is known of its geometry. */
export type Panel = {
  readonly bytes: Uint8Array;
  readonly layout: Layout;
  readonly statistics: Statistics;
};

/** Makes a panel's file in the format that it asks for, and its measures. Pure: the same parameters give the same bytes. */
export function forge(params: Params): Panel {
  const layout = layOut(params);
  return { bytes: fileOf(params, layout), layout, statistics: measure(params, layout) };
}

function fileOf(params: Params, layout: Layout): Uint8Array {
  if (isSolid(params)) {
    const loops = loopsOf(params, layout);
    const write = params.format === "3mf" ? prism3mf : prismStl;
    return write(loops, triangulate(loops), params.thickness);
  }
  const drawing = draw(params, layout);
  return new TextEncoder().encode(params.format === "dxf" ? dxfOf(drawing) : svgOf(drawing));
}

/** Whether a panel's file is a solid, which is proven; the others are drawings. */
export const isSolid = ({ format }: Params): boolean => format === "stl" || format === "3mf";

/** Reads a panel's solid back. Throws `InputFault` `not_watertight` unless it is one closed solid of the panel's measures. */
export function prove(params: Params, { bytes, layout, statistics }: Panel): Watertightness {
  const { width, height, thickness } = params;
  const volumeMm3 = (width * height - statistics.openAreaMm2) * thickness;
  const genus = layout.holes.length;
  const stl = params.format === "3mf" ? read3mf(bytes) : bytes;
  const found = checkWatertight(stl, { genus, volumeMm3, size: [width, height, thickness] });
  if (found.faults.length > 0) {
    throw new InputFault("not_watertight", `The solid is not watertight: ${found.faults.join("; ")}.`);
  }
  return found;
}
