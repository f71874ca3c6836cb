import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  keywords,
  rankByRelevance,
  sharedKeywords,
  similarity,
  words,
} from "../../../src/offline/text/keywords.ts";
import { stem } from "../../../src/offline/text/stem.ts";

describe("stem", () => {
  // Porter's own examples, from the paper.
  it.each([
    ["caresses", "caress"],
    ["ponies", "poni"],
    ["cats", "cat"],
    ["agreed", "agre"],
    ["plastered", "plaster"],
    ["motoring", "motor"],
    ["sing", "sing"],
    ["conflated", "conflat"],
    ["hopping", "hop"],
    ["filing", "file"],
    ["happy", "happi"],
    ["relational", "relat"],
    ["conditional", "condit"],
    ["vietnamization", "vietnam"],
    ["hopefulness", "hope"],
    ["triplicate", "triplic"],
    ["formalize", "formal"],
    ["goodness", "good"],
    ["revival", "reviv"],
    ["adoption", "adopt"],
    ["controll", "control"],
    ["generalizations", "gener"],
  ])("takes %s to %s", (word, expected) => {
    expect(stem(word)).toBe(expected);
  });

  it("leaves words of other scripts and numbers as they are", () => {
    expect(["naïve", "größe", "42", "данные"].map(stem)).toEqual(["naïve", "größe", "42", "данные"]);
  });
});

describe("keywords", () => {
  it("are stems without stop words, possessives folded", () => {
    expect(keywords("The dogs' owner’s dog is running and the runners ran.")).toEqual([
      "dog",
      "owner",
      "dog",
      "run",
      "runner",
      "ran",
    ]);
  });

  it("count full-width and accented letters as letters", () => {
    expect(words("Ｃａｆé №5, данные!")).toEqual(["café", "no5", "данные"]);
  });
});

describe("similarity", () => {
  it("is 1 for the same words, 0 for no word in common, and between for some", () => {
    expect(similarity("deploy the server", "the server deployed")).toBeCloseTo(1);
    expect(similarity("deploy the server", "bake bread")).toBe(0);
    expect(similarity("deploy the server", "restart the server")).toBeCloseTo(0.5);
  });

  it("lies between 0 and 1 and does not mind the order of two texts", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        const value = similarity(one, other);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(similarity(other, one)).toBeCloseTo(value);
      }),
    );
  });
});

describe("rankByRelevance", () => {
  it("puts the text that answers first, and gives one without a shared word 0", () => {
    const texts = ["Bread needs flour.", "The server restarts at night.", "A server deploys in the morning."];
    const ranked = rankByRelevance("When do we deploy the server?", texts);
    expect(ranked.map(({ index }) => index)).toEqual([2, 1, 0]);
    expect(ranked.at(-1)?.score).toBe(0);
  });

  it("weighs a rare word more than a common one", () => {
    const texts = ["server alpha", "server beta", "server gamma quokka", "server server server"];
    expect(rankByRelevance("server quokka", texts)[0]?.index).toBe(2);
  });
});

it("sharedKeywords gives each once, in the order of the first text", () => {
  expect(sharedKeywords("red green red blue", "a blue and a red house")).toEqual(["red", "blue"]);
});
