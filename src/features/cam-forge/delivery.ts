import type { z } from "zod";
import type { HandlerContext } from "../../core/catalog/define.ts";
import { draw } from "./drawing.ts";
import { isSolid, type Panel, prove } from "./forge.ts";
import type camForge from "./index.ts";
import type { Params } from "./params.ts";
import { previewPng } from "./preview.ts";

const FILES = {
  stl: { mime: "model/stl", encoding: "base64" },
  dxf: { mime: "image/vnd.dxf", encoding: "utf8" },
  "3mf": { mime: "model/3mf", encoding: "base64" },
  svg: { mime: "image/svg+xml", encoding: "utf8" },
} as const;

type Result = z.input<(typeof camForge)["output"]>;

/**
 * Proves a panel, stores its file and its picture, and gives the result of the call. Throws `InputFault`
 * `not_watertight`, before anything is stored, for a solid that does not close.
 */
export async function deliver(
  params: Params,
  panel: Panel,
  { artifacts, signal, warnings }: HandlerContext,
): Promise<Result> {
  const drawing = previewPng(params, panel.layout);
  // The picture is encoded in the background while the solid is proven; of a solid that fails, nobody wants it.
  drawing.catch(() => undefined);
  const solid = isSolid(params) ? prove(params, panel) : null;
  signal.throwIfAborted();
  const { mime, encoding } = FILES[params.format];
  const filename = `${nameOf(params)}.${params.format}`;
  const [preview, stored] = await Promise.all([
    drawing.then((picture) =>
      artifacts.put(picture, { mime: "image/png", filename: `${nameOf(params)}.png` }),
    ),
    artifacts.put(panel.bytes, { mime, filename }),
  ]);
  const { holes, total } = panel.layout;
  const { width, height, thickness } = params;
  return {
    format: params.format,
    filename,
    mime,
    data: params.inline ? Buffer.from(panel.bytes).toString(encoding) : null,
    encoding,
    bytes: stored.bytes,
    sha256: stored.sha256,
    url: stored.url,
    preview_url: preview.url,
    panel: { width, height, thickness },
    cells: { total, holes: holes.length, dropped: total - holes.length },
    open_area_pct: toMicro((100 * panel.statistics.openAreaMm2) / (width * height)),
    cut_length_mm: toMicro(panel.statistics.cutLengthMm),
    min_web_mm: panel.statistics.minWebMm === null ? null : toMicro(panel.statistics.minWebMm),
    volume_mm3: solid === null ? null : toMicro(solid.volumeMm3),
    triangles: solid === null ? null : solid.triangles,
    watertight: solid && {
      checked: true,
      edges: solid.edges,
      boundary_edges: solid.boundaryEdges,
      non_manifold_edges: solid.nonManifoldEdges,
      genus: solid.genus,
    },
    warnings: [...warnings, ...warningsOf(params, panel)],
    params,
  };
}

const nameOf = ({ width, height, thickness, lattice, shape }: Params): string =>
  `panel-${width}x${height}x${thickness}-${lattice}-${shape}`;

/** What a maker should know of a panel that is valid all the same. */
function warningsOf(params: Params, { layout }: Panel): string[] {
  const warnings: string[] = [];
  if (layout.holes.length === 0) warnings.push("no_holes");
  if (!isSolid(params) && draw(params, layout).cuts.length < layout.holes.length)
    warnings.push("kerf_fills_holes");
  return warnings;
}

/** Rounds away what floating point adds in the last places. */
const toMicro = (value: number): number => Math.round(value * 1e6) / 1e6;
