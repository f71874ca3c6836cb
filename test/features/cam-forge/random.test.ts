import { describe, expect, it } from "vitest";
import { draw } from "../../../src/features/cam-forge/drawing.ts";
import { forge, prove } from "../../../src/features/cam-forge/forge.ts";
import type { Params } from "../../../src/features/cam-forge/params.ts";
import { panels } from "./random-panels.ts";

/** How many parameter sets are tried; PANELS=20000 is the long run. */
const COUNT = Number(process.env["PANELS"] ?? 500);
const SEED = Number(process.env["SEED"] ?? 1);
/** Of processor time, which other work on the machine does not lengthen. */
const MOST_MS = 2_000;
/** Every so many sets, the other formats as well. */
const OTHERS_EVERY = 10;

/** What is wrong with a panel, if anything. */
function faultOf(params: Params, withOthers: boolean): string | undefined {
  const started = process.cpuUsage();
  const panel = forge({ ...params, format: "stl" });
  const found = prove({ ...params, format: "stl" }, panel);
  const { holes, total } = panel.layout;
  if (found.genus !== holes.length || holes.length > total)
    return `${holes.length} holes, genus ${found.genus}`;
  const web = panel.statistics.minWebMm;
  if (web !== null && web < params.wall - 1e-9) return `a web of ${web}`;
  const { cuts } = draw({ ...params, kerf: 0 }, panel.layout);
  if (cuts.length !== holes.length) return `${holes.length} holes, ${cuts.length} drawn`;
  if (withOthers) {
    for (const format of ["dxf", "svg"] as const) {
      const text = new TextDecoder().decode(forge({ ...params, format }).bytes);
      if (/NaN|Infinity|\de[+-]\d/.test(text)) return `a number in the ${format} is not one`;
    }
    prove({ ...params, format: "3mf" }, forge({ ...params, format: "3mf" }));
  }
  const used = process.cpuUsage(started);
  const took = (used.user + used.system) / 1_000;
  return took > MOST_MS ? `${took} ms` : undefined;
}

describe("any panel in range", () => {
  it(
    `is valid, quickly, in ${COUNT} random sets and at the extremes`,
    { timeout: 300_000 + COUNT * 100 },
    () => {
      const failures: string[] = [];
      let index = 0;
      for (const params of panels(COUNT, SEED)) {
        try {
          const fault = faultOf(params, index++ % OTHERS_EVERY === 0);
          if (fault !== undefined) failures.push(`${fault}: ${JSON.stringify(params)}`);
        } catch (error) {
          failures.push(`${String(error)}: ${JSON.stringify(params)}`);
        }
      }
      expect(index).toBe(COUNT);
      expect(failures).toEqual([]);
    },
  );
});
