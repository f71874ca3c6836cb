import { Colors, DxfWriter, LWPolylineFlags, point2d, point3d, Units } from "@tarikjabiri/dxf";
import { type Contour, STRIDE } from "./contour.ts";
import { toFourDecimals } from "./decimals.ts";
import type { Drawing } from "./drawing.ts";

/**
 * A drawing as a DXF in millimetres: first the holes on layer HOLES, as circles and closed polylines with bulges, then
 * the outline on layer OUTLINE.
 */
export function dxfOf({ cuts, outline }: Drawing): string {
  const writer = new DxfWriter();
  writer.setUnits(Units.Millimeters);
  writer.addLayer("HOLES", Colors.Red, "Continuous");
  writer.addLayer("OUTLINE", Colors.White, "Continuous");
  writer.setCurrentLayerName("HOLES");
  for (const cut of cuts) {
    if (cut.kind === "contour") addPolyline(writer, cut.contour);
    else
      writer.addCircle(point3d(toFourDecimals(cut.x), toFourDecimals(cut.y), 0), toFourDecimals(cut.radius));
  }
  writer.setCurrentLayerName("OUTLINE");
  const { x0, y0, x1, y1 } = outline;
  addPolyline(writer, Float64Array.of(x0, y0, 0, x1, y0, 0, x1, y1, 0, x0, y1, 0));
  return writer.stringify();
}

function addPolyline(writer: DxfWriter, contour: Contour): void {
  const vertices = [];
  for (let k = 0; k < contour.length; k += STRIDE) {
    const point = point2d(toFourDecimals(contour[k] as number), toFourDecimals(contour[k + 1] as number));
    const bulge = toFourDecimals(contour[k + 2] as number);
    vertices.push(bulge === 0 ? { point } : { point, bulge });
  }
  writer.addLWPolyline(vertices, { flags: LWPolylineFlags.Closed });
}
