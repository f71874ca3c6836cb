/** The side of the square that everything is drawn in, before it is scaled. */
export const SIDE = 1_024;
/** The ink of outlines, and their width: those of the drawn people. */
export const INK = "#14121a";
export const INK_WIDTH = 11;

/** A number as SVG takes it, short. */
export const n = (value: number): string => String(Math.round(value * 10) / 10);

/** A path with an outline. */
export const shape = (d: string, fill: string, more = ""): string =>
  `<path d="${d}" fill="${fill}" stroke="${INK}" stroke-width="${INK_WIDTH}" stroke-linejoin="round" stroke-linecap="round" ${more}/>`;

/** A path without one. */
export const flat = (d: string, fill: string, more = ""): string => `<path d="${d}" fill="${fill}" ${more}/>`;

export const circle = (x: number, y: number, r: number, fill: string, more = ""): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}" ${more}/>`;

export const rect = (x: number, y: number, w: number, h: number, fill: string, more = ""): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${fill}" ${more}/>`;

/** A line of ink, or of another colour. */
export const line = (d: string, stroke: string = INK, width: number = INK_WIDTH, more = ""): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linejoin="round" stroke-linecap="round" ${more}/>`;

export const group = (transform: string, ...parts: readonly string[]): string =>
  `<g transform="${transform}">${parts.join("")}</g>`;

/** A gradient from top to bottom, to be used as `url(#id)`. */
export function gradient(id: string, ...stops: readonly string[]): string {
  const marks = stops.map(
    (colour, index) => `<stop offset="${n((100 * index) / (stops.length - 1))}%" stop-color="${colour}"/>`,
  );
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${marks.join("")}</linearGradient>`;
}

/** So many parts, each made from its index. */
export const repeat = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join("");

/** A ridge from left to right and down to the bottom: hills, dunes, waves, mountains by how it is sharpened. */
export function ridge(heights: readonly number[], smooth: boolean): string {
  const step = SIDE / (heights.length - 1);
  const points = heights.map((y, index) => [index * step, y] as const);
  const [first] = points;
  const path = points.slice(1).map(([x, y], index) => {
    const [fromX, fromY] = points[index] ?? [0, 0];
    const middle = n((fromX + x) / 2);
    return smooth ? `C${middle} ${n(fromY)} ${middle} ${n(y)} ${n(x)} ${n(y)}` : `L${n(x)} ${n(y)}`;
  });
  return `M0 ${n(first?.[1] ?? 0)}${path.join("")}V${SIDE}H0Z`;
}
