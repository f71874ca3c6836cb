/** Sub-columns of a pixel column; along a column coverage is exact. */
const LINES = 3;

const OPAQUE = 0xff000000;

export type Colour = readonly [red: number, green: number, blue: number];

/** A polygon without dents: x, y, x, y ... in pixels, y downwards, either way round. */
export type Convex = Float64Array;

/** Where a shape begins and ends, in pixels from above, on each sub-column that it crosses, from the `first` on. */
export type Spans = { readonly first: number; readonly left: Float64Array; readonly right: Float64Array };

/** The spans of a polygon; none when it lies between two sub-columns. */
export function spansOf(shape: Convex): Spans {
  let low = Infinity;
  let high = -Infinity;
  for (let k = 0; k < shape.length; k += 2) {
    low = Math.min(low, shape[k] as number);
    high = Math.max(high, shape[k] as number);
  }
  const first = lineAfter(low);
  const count = Math.max(0, lineAfter(high) - first);
  const left = new Float64Array(count).fill(Infinity);
  const right = new Float64Array(count).fill(-Infinity);
  for (let k = 0, p = shape.length - 2; k < shape.length; p = k, k += 2) {
    const [px, py, x, y] = [shape[p], shape[p + 1], shape[k], shape[k + 1]] as [
      number,
      number,
      number,
      number,
    ];
    const slope = (y - py) / (x - px);
    const end = lineAfter(Math.max(px, x));
    for (let line = lineAfter(Math.min(px, x)); line < end; line++) {
      const crossing = py + ((line + 0.5) / LINES - px) * slope;
      if (crossing < (left[line - first] as number)) left[line - first] = crossing;
      if (crossing > (right[line - first] as number)) right[line - first] = crossing;
    }
  }
  return { first, left, right };
}

/** The first sub-column whose middle is at or after a place in pixels. */
const lineAfter = (x: number): number => Math.ceil(x * LINES - 0.5);

/** A picture of opaque pixels in which shapes are filled with smooth edges. */
export class Raster {
  readonly #width: number;
  readonly #height: number;
  /** Column by column: what shapes are made of then lies together. Red is in the lowest byte. */
  readonly #pixels: Uint32Array;
  readonly #coverage: Float64Array;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    this.#pixels = new Uint32Array(width * height);
    this.#coverage = new Float64Array(height);
  }

  /** Red, green, blue and alpha of each pixel, row by row. */
  toRows(): Uint8Array {
    const rows = new Uint32Array(this.#pixels.length);
    for (let x = 0, from = 0; x < this.#width; x++) {
      for (let to = x; to < rows.length; to += this.#width) rows[to] = this.#pixels[from++] as number;
    }
    return new Uint8Array(rows.buffer);
  }

  /** Paints a shape, which must lie in the picture, with the colour that each pixel column has. */
  paint(spans: Spans, colourOf: (column: number) => Colour): void {
    const end = spans.first + spans.left.length;
    for (let column = Math.floor(spans.first / LINES); column * LINES < end; column++) {
      this.#fillColumn(column, spans, colourOf(column));
    }
  }

  /** Pixels that all sub-columns cover whole are set; those at the ends of some are mixed by their coverage. */
  #fillColumn(column: number, { first, left, right }: Spans, colour: Colour): void {
    const begin = Math.max(0, column * LINES - first);
    const end = Math.min(left.length, (column + 1) * LINES - first);
    let from = this.#height;
    let to = 0;
    let solidFrom = 0;
    let solidTo = end - begin === LINES ? this.#height : 0;
    for (let line = begin; line < end; line++) {
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
    for (let line = begin; line < end; line++) {
      const stop = right[line] as number;
      this.#cover(left[line] as number, Math.min(stop, solidFrom));
      this.#cover(Math.max(left[line] as number, solidTo), stop);
    }
    const top = column * this.#height;
    this.#blend(top, Math.floor(from), solidFrom, colour);
    this.#pixels.fill(packed(colour[0], colour[1], colour[2]), top + solidFrom, top + solidTo);
    this.#blend(top, solidTo, Math.ceil(to), colour);
  }

  #cover(start: number, stop: number): void {
    const coverage = this.#coverage;
    for (let y = Math.floor(start); y < stop; y++) {
      const covered = (stop < y + 1 ? stop : y + 1) - (start > y ? start : y);
      coverage[y] = (coverage[y] as number) + covered / LINES;
    }
  }

  #blend(top: number, from: number, to: number, [red, green, blue]: Colour): void {
    const coverage = this.#coverage;
    const pixels = this.#pixels;
    for (let y = from; y < to; y++) {
      const alpha = coverage[y] as number;
      coverage[y] = 0;
      const under = pixels[top + y] as number;
      const r = under & 255;
      const g = (under >>> 8) & 255;
      const b = (under >>> 16) & 255;
      pixels[top + y] = packed(r + alpha * (red - r), g + alpha * (green - g), b + alpha * (blue - b));
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
