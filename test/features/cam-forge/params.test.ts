import { describe, expect, it } from "vitest";
import { inputSchema } from "../../../src/core/catalog/zod-contract.ts";
import camForge from "../../../src/features/cam-forge/index.ts";
import { RANGES } from "../../../src/features/cam-forge/params.ts";
import { paramsOf, refusalOf } from "./support.ts";

describe("parameters", () => {
  it("has a default for everything", () => {
    expect(paramsOf({})).toEqual({
      format: "stl",
      width: 300,
      height: 200,
      thickness: 6.35,
      margin: 12,
      lattice: "hexpack",
      shape: "hexagon",
      pitch: 18,
      wall: 3,
      cornerR: 1.5,
      rot: 0,
      aspect: 0.4,
      density: 1,
      jpos: 0,
      jrot: 0,
      jscale: 0,
      seed: 7,
      borderMode: "drop",
      kerf: 0,
      inline: true,
    });
  });

  it("takes null for absent", () => {
    const nulls = Object.fromEntries(Object.keys(paramsOf({})).map((key) => [key, null]));
    expect(paramsOf(nulls)).toEqual(paramsOf({}));
  });

  it("reads a numeric string as its number", () => {
    expect(paramsOf({ width: " 250.5 ", rot: "-3e1", seed: "12" })).toMatchObject({
      width: 250.5,
      rot: -30,
      seed: 12,
    });
  });

  it.each(Object.entries(RANGES))(
    "refuses %s out of its range with the range, and takes both ends of it",
    (field, [min, max]) => {
      for (const value of [min - 1e-6, max + 1e-6, String(max + 1), 1e300, -Infinity, Infinity]) {
        const { code, details } = refusalOf({ [field]: value });
        expect([code, details]).toEqual(["over_cap", { field, min, max }]);
      }
      const roomy = { width: 500, height: 500, pitch: 90, margin: 0, wall: 2 };
      expect(paramsOf({ ...roomy, [field]: max })).toHaveProperty(field, max);
      if (field !== "pitch") expect(paramsOf({ ...roomy, [field]: min })).toHaveProperty(field, min);
    },
  );

  it("names a number out of its range before any relation", () => {
    expect(refusalOf({ wall: 40, pitch: 30, jpos: 2 })).toMatchObject({
      code: "over_cap",
      details: { field: "jpos" },
    });
  });

  it.each([
    ["wall not under pitch", { wall: 18, pitch: 18 }, "wall"],
    ["a margin that leaves no inside", { margin: 10, height: 20 }, "margin"],
    ["a text that is no number", { width: "wide" }, "width"],
    ["an empty text", { width: "" }, "width"],
    ["a hexadecimal text", { width: "0x64" }, "width"],
    ["a list", { pitch: [18] }, "pitch"],
    ["a truth value", { wall: true }, "wall"],
    ["a number for a word", { shape: 6 }, "shape"],
    ["a fraction for the seed", { seed: 1.5 }, "seed"],
    ["a seed past what is exact", { seed: 1e20 }, "seed"],
    ["an infinite rotation", { rot: Infinity }, "rot"],
    ["a word for inline", { inline: "no" }, "inline"],
  ])("refuses %s as invalid", (_what, body, path) => {
    const { code, details } = refusalOf(body);
    expect(code).toBe("invalid_input");
    expect(details["issues"]).toEqual([expect.objectContaining({ path })]);
  });

  it("refuses more than 600 cells with their number", () => {
    const { code, details } = refusalOf({
      width: 500,
      height: 500,
      pitch: 6,
      wall: 1,
      lattice: "grid",
      margin: 0,
    });
    expect([code, details]).toEqual(["over_cap", { field: "pitch", cells: 83 * 83, max: 600 }]);
  });

  it("keeps the default for an unknown shape, lattice, border mode or format", () => {
    expect(paramsOf({ shape: "star", lattice: "spiral", borderMode: "wrap", format: "step" })).toEqual(
      paramsOf({}),
    );
  });

  it("leaves keys that it does not know alone", () => {
    expect(paramsOf({ colour: "red" })).toEqual(paramsOf({}));
  });

  it("shows its ranges and defaults as JSON Schema, with nothing required", () => {
    const schema = inputSchema(camForge);
    expect(schema["required"]).toBeUndefined();
    expect(schema).toHaveProperty(
      "properties.width",
      expect.objectContaining({ type: "number", minimum: 10, maximum: 500, default: 300 }),
    );
    expect(schema).toHaveProperty("properties.shape.enum");
  });
});
