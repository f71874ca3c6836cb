import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Declaration, defineCapability, field, mesh } from "../../src/core/catalog/define.ts";
import { cutCodePoints, foldInput, parseInput } from "../../src/core/catalog/input.ts";
import { AppError, Refusal } from "../../src/core/errors.ts";

const schema = z.object({
  text: z
    .string()
    .optional()
    .register(field, { aliases: ["content", "input"], truncateAt: 5 }),
  raw: z
    .string()
    .optional()
    .register(field, { aliases: ["source"] }),
  exact: z.string().optional().register(field, { trim: false, truncateAt: 3 }),
  count: z.number().optional(),
});

const capability = (more: Partial<Declaration> = {}): Declaration => ({
  ...(defineCapability({
    slug: "test-input",
    version: "1.0.0",
    name: "Test input",
    category: "tooling",
    summary: "For the tests of input.",
    offers: [{ surface: "marketplace", price: mesh(1) }],
    pool: "inline",
    profile: { deterministic: true, typicalMs: 1, maximumMs: 1, sideEffects: [] },
    input: z.object({ text: z.string().min(1), count: z.number().int().max(3).default(1) }),
    output: z.object({}),
  }) as unknown as Declaration),
  ...more,
});

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

/** Every UTF-16 text, half surrogate pairs among them. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff })), {
    maxLength: 40,
  })
  .map((units) => String.fromCharCode(...units));
const wellFormed = fc.string({ unit: "binary", maxLength: 40 });

describe("foldInput", () => {
  it("takes the first alias that is filled, in the order in which they are declared", () => {
    expect(foldInput(schema, { input: "b", content: "a" })).toMatchObject({ text: "a" });
    expect(foldInput(schema, { content: "", input: "b" })).toMatchObject({ text: "b" });
  });

  it("lets the canonical key win when it is filled", () => {
    expect(foldInput(schema, { text: "t", content: "c" })).toMatchObject({ text: "t" });
  });

  it.each([[null], [""], ["  \t"], [false], [0]])("lets an alias win over a canonical %j", (empty) => {
    expect(foldInput(schema, { text: empty, content: "c" })).toMatchObject({ text: "c" });
  });

  it("leaves an empty canonical value for the schema to judge when no alias is filled", () => {
    expect(foldInput(schema, { text: false })).toEqual({ text: false });
    expect(foldInput(schema, { text: " " })).toEqual({ text: "" });
  });

  it("counts white space as filled where the contract does not trim", () => {
    expect(foldInput(schema, { raw: "  ", source: "s" })).toMatchObject({ raw: "  " });
  });

  it("takes null for absent, also of keys that it does not know", () => {
    expect(foldInput(schema, { text: null, count: null, other: null })).toEqual({});
  });

  it("trims before it cuts", () => {
    expect(foldInput(schema, { text: "   abcdefg" })).toEqual({ text: "abcde" });
  });

  it("neither trims nor cuts where it is not told to", () => {
    expect(foldInput(schema, { raw: "  abcdefghij  " })).toEqual({ raw: "  abcdefghij  " });
    expect(foldInput(schema, { exact: "  abc" })).toEqual({ exact: "  a" });
  });

  it("leaves alone what is not text, and keys that it does not know", () => {
    const body = { count: 7, more: { text: " x " }, list: [1] };
    expect(foldInput(schema, body)).toEqual(body);
  });

  it("does not take inherited properties for given ones", () => {
    const shape = z.object({
      value: z
        .string()
        .optional()
        .register(field, { aliases: ["toString", "constructor"] }),
    });
    expect(foldInput(shape, {})).toEqual({});
  });

  it("never changes the body, and folding twice is folding once", () => {
    fc.assert(
      fc.property(
        fc.record(
          { text: fc.jsonValue(), content: fc.jsonValue(), exact: wellFormed, more: fc.jsonValue() },
          { requiredKeys: [] },
        ),
        (body) => {
          const before = structuredClone(body);
          const folded = foldInput(schema, body);
          expect(body).toEqual(before);
          // Texts are trimmed, then cut: what a cut leaves at the end would be trimmed the second time.
          const { text } = folded;
          fc.pre(typeof text !== "string" || text === text.trim());
          expect(foldInput(schema, folded)).toEqual(folded);
        },
      ),
    );
  });
});

describe("cutCodePoints", () => {
  it("counts code points, not UTF-16 units", () => {
    expect(cutCodePoints("😀😀😀", 2)).toBe("😀😀");
    expect(cutCodePoints("a😀b", 2)).toBe("a😀");
    expect(cutCodePoints("abc", 0)).toBe("");
  });

  it("gives the first code points of any text, half surrogate pairs or not", () => {
    fc.assert(
      fc.property(anyText, fc.nat(30), (text, limit) => {
        expect(cutCodePoints(text, limit)).toBe(Array.from(text).slice(0, limit).join(""));
      }),
    );
  });

  it("never splits a surrogate pair", () => {
    fc.assert(
      fc.property(wellFormed, fc.nat(30), (text, limit) => cutCodePoints(text, limit).isWellFormed()),
    );
  });
});

describe("parseInput", () => {
  it("gives the parsed input with its defaults, without unknown keys", () => {
    expect(parseInput(capability(), { text: "a", more: 1 })).toEqual({ text: "a", count: 1 });
  });

  it("names every fault, with its path", () => {
    const refused = thrownBy(() => parseInput(capability(), { count: 9.5 }));
    expect(refused).toMatchObject({ code: "invalid_input" });
    const { issues } = (refused as AppError).details as { issues: { path: string }[] };
    expect(issues.map(({ path }) => path)).toEqual(expect.arrayContaining(["text", "count"]));
  });

  it("lets the capability refuse in its own words", () => {
    const own = capability({ onInvalid: () => new Refusal("text_required", null) });
    expect(() => parseInput(own, {})).toThrow(Refusal);
  });

  it("keeps invalid_input where the capability has no words of its own", () => {
    const own = capability({ onInvalid: () => undefined });
    expect(() => parseInput(own, {})).toThrow(AppError);
  });

  it("asks the capability's check last, with the parsed input", () => {
    const seen: unknown[] = [];
    parseInput(capability({ check: (input) => void seen.push(input) }), { text: "a", more: 1 });
    expect(seen).toEqual([{ text: "a", count: 1 }]);
  });
});
