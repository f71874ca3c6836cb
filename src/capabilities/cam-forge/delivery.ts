import type { z } from "zod";
import type { HandlerContext } from "../../core/catalog/define.ts";
import { draw } from "./drawing.ts";
import { type Panel, prove } from "./forge.ts";
import type camForge from "./index.ts";
import type { Params } from "./params.ts";
import { svgOf } from "./svg.ts";

const FILES = {
  stl: { mime: "model/stl", encoding: "base64" },
  dxf: { mime: "image/vnd.dxf", encoding: "utf8" },
  svg: { mime: "image/svg+xml", encoding: "utf8" },
} as const;

type Result = z.input<(typeof camForge)["output"]>;

/**
 * Proves a panel, stores its file and its picture, and gives the result of the call. Throws `InputFault`
 * `not_watertight` for an STL that is no closed solid, before anything is stored.
 */
export async function deliver(
  params: Params,
  panel: Panel,
  { artifacts, signal }: HandlerContext,
): Promise<Result> {
  const solid = params.format === "stl" ? prove(params, panel) : null;
  signal.throwIfAborted();
  const { mime, encoding } = FILES[params.format];
  const filename = `${nameOf(params)}.${params.format}`;
  const stored = await artifacts.put(panel.bytes, { mime, filename });
  const preview = await storePreview(params, panel, artifacts);
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
    warnings: holes.length === 0 ? ["no_holes"] : [],
    params,
  };
}

const nameOf = ({ width, height, thickness, lattice, shape }: Params): string =>
  `panel-${width}x${height}x${thickness}-${lattice}-${shape}`;

function storePreview(params: Params, panel: Panel, artifacts: HandlerContext["artifacts"]) {
  const picture = svgOf(draw({ ...params, kerf: 0 }, panel.layout));
  const filename = `${nameOf(params)}-preview.svg`;
  return artifacts.put(new TextEncoder().encode(picture), { mime: "image/svg+xml", filename });
}

/** Rounds away what floating point adds in the last places. */
const toMicro = (value: number): number => Math.round(value * 1e6) / 1e6;
