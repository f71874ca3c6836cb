import { arcRadius, type Contour, waysOf } from "./contour.ts";
import { toFourDecimals } from "./decimals.ts";
import type { Cut, Drawing } from "./drawing.ts";

/** A drawing as an SVG in millimetres, y downwards: one element of class `hole` for each hole, the outline last. */
export function svgOf({ cuts, outline }: Drawing): string {
  const width = digits(outline.x1 - outline.x0);
  const height = digits(outline.y1 - outline.y0);
  const corner = { x: digits(outline.x0), y: digits(outline.y0) };
  const flip = (y: number): string => digits(outline.y0 + outline.y1 - y);
  const size = `width="${width}mm" height="${height}mm" viewBox="${corner.x} ${corner.y} ${width} ${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} fill="none" stroke="#000" stroke-width="0.1">`,
    ...cuts.map((cut) => element(cut, flip)),
    `<rect class="outline" x="${corner.x}" y="${corner.y}" width="${width}" height="${height}"/>`,
    "</svg>",
    "",
  ].join("\n");
}

type Flip = (y: number) => string;

function element(cut: Cut, flip: Flip): string {
  if (cut.kind === "contour") return `<path class="hole" d="${pathOf(cut.contour, flip)}"/>`;
  return `<circle class="hole" cx="${digits(cut.x)}" cy="${flip(cut.y)}" r="${digits(cut.radius)}"/>`;
}

/** Path data of a contour. Arcs run counter-clockwise, which the page draws with sweep 0. */
function pathOf(contour: Contour, flip: Flip): string {
  let path = `M${digits(contour[0] as number)} ${flip(contour[1] as number)}`;
  for (const { x, y, bulge, toX, toY } of waysOf(contour)) {
    const end = `${digits(toX)} ${flip(toY)}`;
    if (bulge === 0) path += `L${end}`;
    else {
      const radius = digits(arcRadius(Math.hypot(toX - x, toY - y), bulge));
      path += `A${radius} ${radius} 0 ${bulge > 1 ? 1 : 0} 0 ${end}`;
    }
  }
  return `${path}Z`;
}

const digits = (value: number): string => String(toFourDecimals(value));
