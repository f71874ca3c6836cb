import { describe, expect, it } from "vitest";
import characterForge from "../../../src/features/character-forge/index.ts";
import { parseInput } from "../../../src/core/catalog/input.ts";

const promptOf = (body: Record<string, unknown>): string =>
  characterForge.input.parse(parseInput(characterForge, body)).prompt;

describe("the input of character-forge", () => {
  it("has its prompt under seven names, the first non-empty of which counts", () => {
    const names = ["prompt", "text", "describe", "description", "subject", "scene", "character"];
    names.forEach((name, index) => {
      const later = Object.fromEntries(names.slice(index + 1).map((other) => [other, "another"]));
      const earlier = Object.fromEntries(names.slice(0, index).map((other) => [other, "  "]));
      expect(promptOf({ ...later, ...earlier, [name]: " a knight " })).toBe("a knight");
    });
  });

  it("is cut to 1500 code points, and none of them in two", () => {
    expect(promptOf({ prompt: "x".repeat(2_000) })).toBe("x".repeat(1_500));
    expect(promptOf({ prompt: "🦊".repeat(1_501) })).toBe("🦊".repeat(1_500));
  });

  it.each([
    {},
    { prompt: "" },
    { prompt: " \n " },
    { prompt: null },
    { prompt: 5 },
    { prompt: ["a"] },
    { promt: "a" },
  ])("is refused as %j", (body) => {
    expect(() => parseInput(characterForge, body)).toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
  });

  it("costs 25 MESH, on the pool of images", () => {
    expect(characterForge.offers).toEqual([
      { surface: "marketplace", price: { currency: "MESH", amount: 25 } },
    ]);
    expect(characterForge.pool).toBe("image");
    expect(characterForge.model).toBe("image");
  });
});
