import fc from "fast-check";
import { expect, it } from "vitest";
import { characterSlug } from "../../../src/core/memory/character.ts";

it.each([
  ["", ""],
  ["  Sir   Lancelot!  ", "sir-lancelot"],
  ["--a--b--", "a-b"],
  ["ＮＰＣ７", "npc7"],
  ["José", "josé"],
  ["李 雷", "李-雷"],
  ["★ ★", ""],
  ["💜".repeat(50), ""],
  ["é".repeat(60), "é".repeat(48)],
])("makes of the name %j the slug %j", (name, slug) => {
  expect(characterSlug(name)).toBe(slug);
});

it("gives slugs of at most 48 code points, without hyphens at their ends, that are their own slugs", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 120 }), (name) => {
      const slug = characterSlug(name);
      expect(Array.from(slug).length).toBeLessThanOrEqual(48);
      expect(slug).not.toMatch(/^-|-$|--|\s/);
      expect(characterSlug(slug)).toBe(slug);
    }),
  );
});
