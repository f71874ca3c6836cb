import { cornersOf } from "./chords.ts";
import { LoopList, type Loops, onGrid } from "./loops.ts";
import type { Params } from "./params.ts";
import { type Hole, regionOf } from "./shapes.ts";

/** The polygons that a panel's mesh stands on: the outline clockwise, then each hole counter-clockwise. */
export function loopsOf(params: Params, holes: readonly Hole[]): Loops {
  const loops = new LoopList();
  const { width, height } = params;
  loops.add(onGrid(Float64Array.of(0, 0, 0, height, width, height, width, 0)), 0, 0);
  let polygon: Float64Array = new Float64Array();
  let last: Hole | undefined;
  for (const hole of holes) {
    if (last === undefined || hole.size !== last.size || hole.turn !== last.turn) {
      polygon = onGrid(cornersOf(regionOf(params, hole.size, hole.turn)));
    }
    loops.add(polygon, hole.x, hole.y);
    last = hole;
  }
  return loops.build();
}
