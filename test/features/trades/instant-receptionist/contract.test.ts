import fc from "fast-check";
import { describe, expect, it } from "vitest";
import handler from "../../../../src/features/trades/instant-receptionist/handler.ts";
import instantReceptionist from "../../../../src/features/trades/instant-receptionist/index.ts";
import type { Effect } from "../../../../src/core/catalog/define.ts";
import { parseInput } from "../../../../src/core/catalog/input.ts";
import { testedCapability } from "../../../support/capability.ts";
import { matches } from "../../../../src/core/catalog/vectors.ts";
import { handlerContext } from "../../../support/handler-context.ts";

const { vectors } = await testedCapability("instant-receptionist");

async function make(body: Record<string, unknown>) {
  const effects: Effect[] = [];
  const input = instantReceptionist.input.parse(parseInput(instantReceptionist, body));
  const context = handlerContext({ effect: (effect) => void effects.push(effect) });
  return { made: instantReceptionist.output.parse(await handler(input, context)), effects };
}

describe("the contract", () => {
  it.each(vectors)("holds for the golden vector: $name", async ({ input, expect: expected }) => {
    expect(matches((await make(input)).made, expected)).toBe(true);
  });

  it.each([{}, { trade: "" }, { trade: " \n" }, { trade: null, type: "" }, { business: "plumber" }])(
    "refuses %j with trade_required and nothing else",
    (body) => {
      expect(() => parseInput(instantReceptionist, body)).toThrow(
        expect.objectContaining({ name: "Refusal", code: "trade_required", bare: true, details: {} }),
      );
    },
  );

  it.each([{ trade: 7 }, { trade: ["dentist"] }, { trade: "dentist", business: 5 }])(
    "calls %j an invalid input",
    (body) => {
      expect(() => parseInput(instantReceptionist, body)).toThrow(
        expect.objectContaining({ code: "invalid_input" }),
      );
    },
  );

  it("cuts trade, business and area to 60 code points", async () => {
    const long = "\u{1F600}".repeat(80);
    const { made } = await make({ trade: `dentist ${long}`, business: long, area: long });
    expect(made).toMatchObject({ business: "\u{1F600}".repeat(60), area: "\u{1F600}".repeat(60) });
  });

  it("takes the canonical key before an alias", async () => {
    const { made } = await make({
      trade: "dentist",
      type: "lawyer",
      business: "A",
      name: "B",
      area: "",
      location: "C",
    });
    expect(made).toMatchObject({ vertical: "dental", business: "A", area: "C" });
  });
});

describe("a page", () => {
  it("is left to the end of the call: one effect holds what the answer says", async () => {
    const { made, effects } = await make({ trade: "dentist", business: "Bright Smile Dental" });
    const { slug, vertical, business, area, url } = made;
    expect(effects).toEqual([{ kind: "receptionist", data: { slug, vertical, business, area } }]);
    expect(url).toBe(`https://meshforge.test/r/${slug}`);
    expect(slug).toMatch(/^bright-smile-dental-[a-z0-9]{10}$/);
  });

  it("is named after its trade in letters of other scripts", async () => {
    const { made } = await make({ trade: "dentist", business: "東京歯科" });
    expect(made.slug).toMatch(/^dental-practice-[a-z0-9]{10}$/);
  });

  it("always has a valid slug, whatever the business is called, and never the same twice", async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 80 }), async (business) => {
        const { slug } = (await make({ trade: "salon", business })).made;
        expect(slug).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
        expect(slug.length).toBeLessThanOrEqual(52);
        expect(seen.has(slug)).toBe(false);
        seen.add(slug);
      }),
      { numRuns: 500 },
    );
  });
});
