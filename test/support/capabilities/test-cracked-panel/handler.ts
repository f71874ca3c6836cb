import { deliver } from "../../../../src/features/cam-forge/delivery.ts";
import { forge } from "../../../../src/features/cam-forge/forge.ts";
import { defineHandler } from "../../../../src/core/catalog/define.ts";
import testCrackedPanel from "./index.ts";

/** Header and facet count of a binary STL, then the normal of its first facet: here its first corner begins. */
const FIRST_CORNER_BYTE = 84 + 12;

/** Moves one corner of one facet by one unit in the last place. */
export default defineHandler(testCrackedPanel, (params, context) => {
  const panel = forge(params);
  const view = new DataView(panel.bytes.buffer, panel.bytes.byteOffset);
  view.setUint32(FIRST_CORNER_BYTE, view.getUint32(FIRST_CORNER_BYTE, true) + 1, true);
  return deliver(params, panel, context);
});
