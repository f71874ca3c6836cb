/** Sub-scanlines of a pixel row; along a line coverage is exact. */
const LINES = 4;

const OPAQUE = 0xff000000;

export type Colour = readonly [red: number, green: number, blue: number];

/** A polygon without dents: x, y, x, y ... in pixels, y downwards, either way round. */
export type Convex = Float64Array;

/** Where a convex polygon begins and ends on each sub-scanline that it crosses, in pixels, from the line `top` on. */
export type Spans = { readonly top: number; readonly left: Float64Array; readonly right: Float64Array };

/** The spans of a polygon; empty when it lies between two sub-scanlines. */
export function spansOf(shape: Convex): Spans {
  let low = Infinity;
  let high = -Infinity;
  for (let k = 1; k < shape.length; k += 2) {
    low = Math.min(low, shape[k] as number);
    high = Math.max(high, shape[k] as number);
  }
  const top = lineBelow(low);
  const count = Math.max(0, lineBelow(high) - top);
  const left = new Float64Array(count).fill(Infinity);
  const right = new Float64Array(count).fill(-Infinity);
  for (let k = 0, p = shape.length - 2; k < shape.length; p = k, k += 2) {
    const [px, py, x, y] = [shape[p], shape[p + 1], shape[k], shape[k + 1]] as [
      number,
      number,
      number,
      number,
    ];
    const slope = (x - px) / (y - py);
    for (let line = lineBelow(Math.min(py, y)); line < lineBelow(Math.max(py, y)); line++) {
      const crossing = px + ((line + 0.5) / LINES - py) * slope;
      left[line - top] = Math.min(left[line - top] as number, crossing);
      right[line - top] = Math.max(right[line - top] as number, crossing);
    }
  }
  return { top, left, right };
}

/** The first sub-scanline at or below a height in pixels. */
const lineBelow = (y: number): number => Math.ceil(y * LINES - 0.5);

/** What two shapes have in common. */
export function common(a: Spans, b: Spans): Spans {
  const top = Math.max(a.top, b.top);
  const count = Math.max(0, Math.min(a.top + a.left.length, b.top + b.left.length) - top);
  const left = new Float64Array(count);
  const right = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    left[k] = Math.max(a.left[top - a.top + k] as number, b.left[top - b.top + k] as number);
    right[k] = Math.min(a.right[top - a.top + k] as number, b.right[top - b.top + k] as number);
  }
  return { top, left, right };
}

/** A picture of opaque pixels in which shapes are filled with smooth edges. */
export class Raster {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel, row by row. */
  readonly rgba: Uint8Array;
  readonly #pixels: Uint32Array;
  readonly #coverage: Float64Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.rgba = new Uint8Array(4 * width * height);
    this.#pixels = new Uint32Array(this.rgba.buffer);
    this.#coverage = new Float64Array(width);
  }

  /** Fills a shape, which must lie in the picture, with the colour that each row has (`row` from 0 to `height` - 1). */
  fill(spans: Spans, colourOf: (row: number) => Colour): void {
    const end = spans.top + spans.left.length;
    for (let row = Math.floor(spans.top / LINES); row * LINES < end; row++) {
      this.#fillRow(row, spans, colourOf(row));
    }
  }

  /** Pixels that all sub-scanlines cover whole are set; those at the ends of some are mixed by their coverage. */
  #fillRow(row: number, { top, left, right }: Spans, colour: Colour): void {
    const first = Math.max(0, row * LINES - top);
    const last = Math.min(left.length, (row + 1) * LINES - top);
    let from = this.width;
    let to = 0;
    let solidFrom = 0;
    let solidTo = last - first === LINES ? this.width : 0;
    for (let line = first; line < last; line++) {
      const start = left[line] as number;
      const stop = right[line] as number;
      if (start < from) from = start;
      if (stop > to) to = stop;
      if (start > solidFrom) solidFrom = start;
      if (stop < solidTo) solidTo = stop;
    }
    if (from >= to) return;
    solidFrom = Math.ceil(solidFrom);
    solidTo = Math.floor(solidTo);
    if (solidFrom >= solidTo) solidFrom = solidTo = Math.ceil(to);
    for (let line = first; line < last; line++) {
      const stop = right[line] as number;
      this.#cover(left[line] as number, Math.min(stop, solidFrom));
      this.#cover(Math.max(left[line] as number, solidTo), stop);
    }
    const start = row * this.width;
    this.#blend(start, Math.floor(from), solidFrom, colour);
    this.#pixels.fill(packed(colour[0], colour[1], colour[2]), start + solidFrom, start + solidTo);
    this.#blend(start, solidTo, Math.ceil(to), colour);
  }

  #cover(start: number, stop: number): void {
    for (let x = Math.floor(start); x < stop; x++) {
      const covered = (stop < x + 1 ? stop : x + 1) - (start > x ? start : x);
      this.#coverage[x] = (this.#coverage[x] as number) + covered / LINES;
    }
  }

  #blend(start: number, from: number, to: number, colour: Colour): void {
    const [red, green, blue] = colour;
    for (let x = from; x < to; x++) {
      const alpha = this.#coverage[x] as number;
      this.#coverage[x] = 0;
      const under = this.#pixels[start + x] as number;
      const r = under & 255;
      const g = (under >>> 8) & 255;
      const b = (under >>> 16) & 255;
      this.#pixels[start + x] = packed(
        r + alpha * (red - r),
        g + alpha * (green - g),
        b + alpha * (blue - b),
      );
    }
  }
}

/** A colour as the pixel that little-endian memory holds as red, green, blue, alpha. */
const packed = (red: number, green: number, blue: number): number =>
  OPAQUE | ((blue + 0.5) << 16) | ((green + 0.5) << 8) | (red + 0.5);

/** A colour part of the way from one to another. */
export function mix(from: Colour, to: Colour, t: number): Colour {
  const [red, green, blue] = from;
  return [red + t * (to[0] - red), green + t * (to[1] - green), blue + t * (to[2] - blue)];
}
