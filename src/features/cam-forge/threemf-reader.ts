import { strFromU8, unzipSync } from "fflate";

const PREAMBLE_BYTES = 84;
const FACET_BYTES = 50;

/**
 * Reads a 3MF package back as the binary STL of its one mesh, so that the same check judges both. What is missing or
 * not a number comes out as a coordinate that is not finite; a package that cannot be read as an STL of no bytes.
 */
export function read3mf(bytes: Uint8Array): Uint8Array {
  const text = modelOf(bytes);
  if (text === undefined) return new Uint8Array();
  const vertices = numbersOf(text, /<vertex x="([^"]*)" y="([^"]*)" z="([^"]*)"\/>/g);
  const triangles = numbersOf(text, /<triangle v1="([^"]*)" v2="([^"]*)" v3="([^"]*)"\/>/g);
  const stl = new Uint8Array(PREAMBLE_BYTES + (triangles.length / 3) * FACET_BYTES);
  const view = new DataView(stl.buffer);
  view.setUint32(PREAMBLE_BYTES - 4, triangles.length / 3, true);
  for (const [k, vertex] of triangles.entries()) {
    const at = PREAMBLE_BYTES + Math.floor(k / 3) * FACET_BYTES + 12 + 12 * (k % 3);
    for (let axis = 0; axis < 3; axis++)
      view.setFloat32(at + 4 * axis, vertices[3 * vertex + axis] ?? NaN, true);
  }
  return stl;
}

function modelOf(bytes: Uint8Array): string | undefined {
  try {
    const model = unzipSync(bytes)["3D/3dmodel.model"];
    return model && strFromU8(model);
  } catch {
    return undefined;
  }
}

function numbersOf(text: string, element: RegExp): number[] {
  const numbers: number[] = [];
  for (const [, a, b, c] of text.matchAll(element)) numbers.push(Number(a), Number(b), Number(c));
  return numbers;
}
