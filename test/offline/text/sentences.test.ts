import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listItems, rankSentences, splitSentences, summarize } from "../../../src/offline/text/sentences.ts";

const letters = (text: string): string => (text.match(/\p{L}/gu) ?? []).join("");

describe("splitSentences", () => {
  it("does not end a sentence after an abbreviation, an initial or within a number", () => {
    expect(splitSentences("Dr. J. Smith paid approx. 3.50 dollars, e.g. for tea. Then he left!")).toEqual([
      "Dr. J. Smith paid approx. 3.50 dollars, e.g. for tea.",
      "Then he left!",
    ]);
  });

  it("takes list items, headings and fields as sentences of their own", () => {
    expect(splitSentences("Plan\n- buy milk\n- sell eggs\n\n1) rest\nName: Ann")).toEqual([
      "Plan",
      "buy milk",
      "sell eggs",
      "rest",
      "Name: Ann",
    ]);
  });

  it("joins the lines of a wrapped paragraph", () => {
    const wrapped =
      "The quick brown fox jumps over the lazy dog, and nobody in the\nvillage is surprised. It does so daily.";
    expect(splitSentences(wrapped)).toEqual([
      "The quick brown fox jumps over the lazy dog, and nobody in the village is surprised.",
      "It does so daily.",
    ]);
  });

  it("gives nothing for a text without letters or digits", () => {
    expect(splitSentences(" \n--- ... !!")).toEqual([]);
  });

  it("loses no letter of any text", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z ,.!?\n]{0,80}$/), (text) => {
        // A single letter with a full stop at the start of a line is a list's mark.
        fc.pre(!/^\s*[a-z][.)]/im.test(text));
        expect(letters(splitSentences(text).join(" "))).toBe(letters(text));
      }),
    );
  });
});

it("listItems gives bulleted and numbered items without their marks", () => {
  expect(listItems("Buy:\n- milk\n* eggs\n 2. bread\nand more")).toEqual(["milk", "eggs", "bread"]);
});

const ARTICLE =
  "Coral reefs protect coasts from storms. Warm water bleaches coral reefs. My cat is grey. " +
  "When reefs die, storms reach the coasts with full force.";

describe("rankSentences", () => {
  it("puts the sentence that has nothing to do with the others last", () => {
    expect(rankSentences(ARTICLE).at(-1)?.text).toBe("My cat is grey.");
  });

  it("puts the sentence that the query asks for first", () => {
    expect(rankSentences(ARTICLE, "What colour is the cat?")[0]?.text).toBe("My cat is grey.");
  });

  it("ranks hundreds of sentences well under a second", () => {
    const many = Array.from(
      { length: 1_000 },
      (_, i) => `Sentence ${i} speaks of topic${i % 17} and item${i % 5}.`,
    );
    const start = process.cpuUsage();
    expect(rankSentences(many)).toHaveLength(1_000);
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(1_000);
  });
});

it("summarize keeps the order of the text", () => {
  expect(summarize(ARTICLE, 2)).toEqual([
    "Coral reefs protect coasts from storms.",
    "When reefs die, storms reach the coasts with full force.",
  ]);
});
