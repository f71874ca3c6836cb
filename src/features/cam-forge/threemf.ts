import { strToU8, zipSync } from "fflate";
import { type Loops, STEPS_PER_MM } from "./loops.ts";

/** A fixed time for all entries, the earliest that ZIP knows, so that the same panel is the same bytes. */
const ENTRY_TIME = new Date(1980, 0, 1);

const CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const MODEL_PATH = "3D/3dmodel.model";
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

const CONTENT_TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>`;
const RELATIONS = `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="model" Target="/${MODEL_PATH}" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>`;

/**
 * A 3MF package (3MF Core Specification 1.3) of the prism that stands on a triangulated panel, from z = 0 to the
 * thickness in mm; loops and triangles as for the STL. Coordinates are written in full.
 */
export function prism3mf(loops: Loops, triangles: Uint32Array, thickness: number): Uint8Array {
  const mesh = `<mesh><vertices>${vertices(loops, thickness)}</vertices><triangles>${faces(loops, triangles)}</triangles></mesh>`;
  const model = `${XML}<model unit="millimeter" xml:lang="en-US" xmlns="${CORE}"><resources><object id="1" type="model">${mesh}</object></resources><build><item objectid="1"/></build></model>`;
  const files = { "[Content_Types].xml": CONTENT_TYPES, "_rels/.rels": RELATIONS, [MODEL_PATH]: model };
  const entries = Object.entries(files).map(([path, text]) => [path, strToU8(text)]);
  return zipSync(Object.fromEntries(entries), { level: 6, mtime: ENTRY_TIME });
}

/** Corner k of the loops is vertex 2 k below and 2 k + 1 above. */
function vertices({ xy }: Loops, thickness: number): string {
  const parts: string[] = [];
  for (let k = 0; k < xy.length; k += 2) {
    const at = `<vertex x="${(xy[k] as number) / STEPS_PER_MM}" y="${(xy[k + 1] as number) / STEPS_PER_MM}" z="`;
    parts.push(at, '0"/>', at, String(Math.fround(thickness)), '"/>');
  }
  return parts.join("");
}

function faces({ starts }: Loops, triangles: Uint32Array): string {
  const parts: string[] = [];
  const face = (a: number, b: number, c: number): void => {
    parts.push(`<triangle v1="${a}" v2="${b}" v3="${c}"/>`);
  };
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 2 * (triangles[t] as number);
    const b = 2 * (triangles[t + 1] as number);
    const c = 2 * (triangles[t + 2] as number);
    face(a + 1, b + 1, c + 1);
    face(a, c, b);
  }
  for (let index = 0; index + 1 < starts.length; index++) {
    const end = starts[index + 1] as number;
    let a = 2 * (end - 1);
    for (let corner = starts[index] as number; corner < end; corner++) {
      const b = 2 * corner;
      face(a, a + 1, b + 1);
      face(a, b + 1, b);
      a = b;
    }
  }
  return parts.join("");
}
