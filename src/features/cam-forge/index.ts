import { z } from "zod";
import { defineCapability, mesh, Refusal } from "../../core/catalog/define.ts";
import { invalidInput } from "../../core/errors.ts";
import { countCells } from "./lattice.ts";
import { FORMATS, MAX_CELLS, type Params, paramsSchema, RANGES } from "./params.ts";

const output = z.object({
  format: z.enum(FORMATS),
  filename: z.string(),
  mime: z.string(),
  data: z.string().nullable().describe("The file: base64 or text, as encoding says; null with inline false."),
  encoding: z.enum(["base64", "utf8"]),
  bytes: z.int().describe("Size of the file."),
  sha256: z.string().describe("Hash of the file's bytes, lower-case hexadecimal."),
  url: z.string().describe("Permanent address of the file."),
  preview_url: z.string().describe("Permanent address of a picture of the panel."),
  panel: z.object({ width: z.number(), height: z.number(), thickness: z.number() }),
  cells: z.object({ total: z.int(), holes: z.int(), dropped: z.int() }),
  open_area_pct: z.number(),
  cut_length_mm: z.number(),
  min_web_mm: z.number().nullable().describe("Narrowest web between two holes; null under two holes."),
  volume_mm3: z.number().nullable(),
  triangles: z.int().nullable(),
  watertight: z
    .object({
      checked: z.literal(true),
      edges: z.int(),
      boundary_edges: z.int(),
      non_manifold_edges: z.int(),
      genus: z.int(),
    })
    .nullable(),
  warnings: z.array(z.string()),
  params: z.record(z.string(), z.unknown()).describe("The effective parameters."),
});

/** The first number out of its range among a schema's faults, as a refusal; undefined when there is none. */
function overCap(issues: readonly z.core.$ZodIssue[]): Refusal | undefined {
  for (const { code, path } of issues) {
    const range = isRanged(path[0]) ? RANGES[path[0]] : undefined;
    if (range === undefined || (code !== "too_small" && code !== "too_big")) continue;
    const [min, max] = range;
    return new Refusal("over_cap", `${String(path[0])} must be from ${min} to ${max}.`, {
      field: path[0],
      min,
      max,
    });
  }
  return undefined;
}

const isRanged = (key: PropertyKey | undefined): key is keyof typeof RANGES =>
  typeof key === "string" && Object.hasOwn(RANGES, key);

/** What no single field can say: throws `invalid_input`, or `over_cap` for too many cells. */
function checkRelations(params: Params): void {
  const issues = [];
  if (params.wall >= params.pitch) issues.push({ path: "wall", message: "must be less than pitch" });
  if (2 * params.margin >= Math.min(params.width, params.height)) {
    issues.push({
      path: "margin",
      message: "leaves no inside: it must be less than half of width and height",
    });
  }
  if (issues.length > 0) throw invalidInput(issues);
  const cells = countCells(params);
  if (cells > MAX_CELLS) {
    const message = `This panel has ${cells} cells, more than ${MAX_CELLS}: raise pitch or margin, or make it smaller.`;
    throw new Refusal("over_cap", message, { field: "pitch", cells, max: MAX_CELLS });
  }
}

export default defineCapability({
  slug: "cam-forge",
  version: "1.1.0",
  name: "CAM Forge",
  category: "fabrication",
  summary:
    "Makes a perforated panel from parameters: holes of a chosen shape on a lattice, as a watertight STL or 3MF solid or as a DXF or SVG outline to cut. The same parameters and seed always give the same file.",
  offers: [{ surface: "marketplace", price: mesh(15) }],
  pool: "cam",
  timeoutMs: 30_000,
  profile: { deterministic: true, typicalMs: 20, maximumMs: 2_000, sideEffects: ["artifact"] },
  input: paramsSchema,
  output,
  onInvalid: overCap,
  check: checkRelations,
});
