import { z } from "zod";

export const FORMATS = ["stl", "dxf", "svg", "3mf"] as const;
export const LATTICES = ["hexpack", "grid", "stagger"] as const;
export const SHAPES = ["hexagon", "circle", "square", "diamond", "triangle", "slot"] as const;
export const BORDER_MODES = ["drop", "adapt"] as const;

/** The most lattice cells that one panel may have. */
export const MAX_CELLS = 600;

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The number that a text spells in decimal; anything else is handed on, for the schema to judge. */
function readNumber(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  return DECIMAL.test(text) ? Number(text) : value;
}

/** zod calls an infinite number a wrong type; a range should call it out of range. */
function readRanged(value: unknown): unknown {
  const number = readNumber(value);
  if (number === Infinity) return Number.MAX_VALUE;
  return number === -Infinity ? -Number.MAX_VALUE : number;
}

/** The least and the most that a number may be, both allowed. */
export const RANGES = {
  width: [10, 500],
  height: [10, 500],
  thickness: [0.5, 50],
  margin: [0, 60],
  pitch: [6, 100],
  wall: [1, 50],
  cornerR: [0, 10],
  aspect: [0.05, 0.95],
  density: [0, 1],
  jpos: [0, 1],
  jrot: [0, 45],
  jscale: [0, 1],
  kerf: [0, 2],
} as const satisfies Record<string, readonly [number, number]>;

/**
 * A field whose values are read leniently before its schema judges them. The default stands in the schema's metadata as
 * well: JSON Schema of what is read before would leave it out.
 */
function lenient<T extends z.ZodType>(
  read: (value: unknown) => unknown,
  schema: T,
  fallback: z.output<T>,
  description: string,
) {
  const shown = schema.meta({ default: fallback });
  return z
    .preprocess(read, shown)
    .default(fallback as never)
    .describe(description);
}

function ranged(name: keyof typeof RANGES, fallback: number, description: string) {
  const [min, max] = RANGES[name];
  return lenient(readRanged, z.number().min(min).max(max), fallback, description);
}

function choice<const T extends readonly [string, ...string[]]>(values: T, description: string) {
  const [fallback] = values;
  const known = (value: unknown): unknown =>
    typeof value === "string" && !values.includes(value) ? fallback : value;
  return lenient(known, z.enum(values), fallback as never, description);
}

/** Every parameter of a panel, in the order in which an out-of-range one is reported. Lengths in millimetres. */
export const paramsSchema = z.object({
  format: choice(FORMATS, "File format: binary STL or 3MF solid, DXF or SVG cutting outline."),
  width: ranged("width", 300, "Panel width, mm."),
  height: ranged("height", 200, "Panel height, mm."),
  thickness: ranged("thickness", 6.35, "Panel thickness, mm."),
  margin: ranged("margin", 12, "Solid border on every side, mm."),
  lattice: choice(LATTICES, "How the holes are arranged."),
  shape: choice(SHAPES, "The form of a hole."),
  pitch: ranged("pitch", 18, "Distance between neighbouring hole centres in a row, mm; more than wall."),
  wall: ranged("wall", 3, "The narrowest web between neighbouring holes, mm; less than pitch."),
  cornerR: ranged("cornerR", 1.5, "Fillet radius of polygonal holes, mm."),
  rot: lenient(readNumber, z.number(), 0, "Turn of every hole about its centre, degrees counter-clockwise."),
  aspect: ranged("aspect", 0.4, "Width over length of a slot."),
  density: ranged("density", 1, "Fraction of the cells that keep their hole."),
  jpos: ranged("jpos", 0, "Position jitter: 1 moves a hole by up to a quarter of what pitch exceeds wall."),
  jrot: ranged("jrot", 0, "Rotation jitter: up to this many degrees either way."),
  jscale: ranged("jscale", 0, "Size jitter: 1 shrinks a hole to as little as a fifth."),
  seed: lenient(readNumber, z.int(), 7, "The same seed gives the same panel."),
  borderMode: choice(BORDER_MODES, "Holes that cross the border are dropped, or clipped at it."),
  kerf: ranged("kerf", 0, "Width of the cut in mm: DXF and SVG contours move by half of it into the waste."),
  inline: z.boolean().default(true).describe("False leaves the file out of the answer; url has it."),
});

/** The effective parameters of a panel. */
export type Params = z.output<typeof paramsSchema>;
export type Shape = Params["shape"];
export type Lattice = Params["lattice"];
