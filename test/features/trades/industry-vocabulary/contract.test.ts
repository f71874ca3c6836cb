import { describe, expect, it } from "vitest";
import handler from "../../../../src/features/trades/industry-vocabulary/handler.ts";
import industryVocabulary from "../../../../src/features/trades/industry-vocabulary/index.ts";
import { VERTICALS } from "../../../../src/features/trades/verticals.ts";
import { parseInput } from "../../../../src/core/catalog/input.ts";
import { testedCapability } from "../../../support/capability.ts";
import { matches } from "../../../../src/core/catalog/vectors.ts";
import { handlerContext } from "../../../support/handler-context.ts";

const { vectors } = await testedCapability("industry-vocabulary");
const context = handlerContext();
const tradeOf = (body: Record<string, unknown>): unknown => parseInput(industryVocabulary, body)["trade"];
const answer = async (trade: string): Promise<unknown> =>
  industryVocabulary.output.parse(await handler({ trade }, context));

describe("the contract", () => {
  it.each(vectors)("holds for the golden vector: $name", async ({ input, expect: expected }) => {
    const { trade } = industryVocabulary.input.parse(parseInput(industryVocabulary, input));
    expect(matches(await answer(trade), expected)).toBe(true);
  });

  it("takes the first key that is not empty: trade, industry, business, query, text, input", () => {
    const keys = ["trade", "industry", "business", "query", "text", "input"];
    for (const [place, key] of keys.entries()) {
      const body = Object.fromEntries(keys.map((name, index) => [name, index < place ? " " : `${name}!`]));
      expect(tradeOf(body)).toBe(`${key}!`);
    }
  });

  it("trims first, then cuts to 200 code points, and never splits a surrogate pair", () => {
    expect(tradeOf({ trade: `  ${"\u{1F600}".repeat(300)} ` })).toBe("\u{1F600}".repeat(200));
  });

  it.each([{}, { trade: "" }, { trade: " \n" }, { trade: null, text: "" }, { other: "plumber" }])(
    "refuses %j with trade_required and nothing else",
    (body) => {
      expect(() => tradeOf(body)).toThrow(
        expect.objectContaining({ name: "Refusal", code: "trade_required", bare: true, details: {} }),
      );
    },
  );

  it.each([{ trade: 7 }, { trade: ["plumber"] }, { trade: true }, { trade: "", industry: 5 }])(
    "calls %j an invalid input",
    (body) => {
      expect(() => tradeOf(body)).toThrow(expect.objectContaining({ code: "invalid_input" }));
    },
  );

  it("gives every vertical its own words and questions", async () => {
    for (const { name } of VERTICALS) {
      expect(await answer(name)).toMatchObject({ matched: true, vertical: name });
    }
  });
});
