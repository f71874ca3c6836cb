import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import wordListPath from "word-list";
import { findVertical } from "../../../src/features/trades/matching.ts";
import { VERTICALS } from "../../../src/features/trades/verticals.ts";
import { wordsOf } from "../../../src/features/trades/words.ts";

const nameOf = (trade: string): string | undefined => findVertical(trade)?.name;
const synonyms = VERTICALS.flatMap(({ name, synonyms: own }) => own.map((synonym) => ({ name, synonym })));

describe("the verticals", () => {
  it("are at least 30, and hold those of the receptionist", () => {
    const names = VERTICALS.map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(30);
    expect(names).toEqual(
      expect.arrayContaining([
        "plumbing",
        "electrical",
        "hvac",
        "dental",
        "medical",
        "legal",
        "salon",
        "restaurant",
        "auto repair",
        "real estate",
      ]),
    );
  });

  it("share no synonym", () => {
    const all = [...synonyms.map(({ synonym }) => synonym), ...VERTICALS.map(({ name }) => name)];
    const owners = Map.groupBy(all, (synonym) => wordsOf(synonym).join(" "));
    for (const [phrase] of owners) {
      const verticals = VERTICALS.filter(({ name, synonyms: own }) =>
        [name, ...own].some((synonym) => wordsOf(synonym).join(" ") === phrase),
      );
      expect(verticals.map(({ name }) => name)).toHaveLength(1);
    }
  });

  it("have all their terms and at least four questions each", () => {
    for (const { terms, questions } of VERTICALS) {
      expect(Object.values(terms).every((term) => term.length > 2)).toBe(true);
      expect(questions.length).toBeGreaterThanOrEqual(4);
      expect(new Set(questions).size).toBe(questions.length);
    }
  });
});

describe("a trade is recognised", () => {
  it("by every synonym, in any case and with words around it", () => {
    for (const { name, synonym } of synonyms) {
      expect(nameOf(synonym), synonym).toBe(name);
      expect(nameOf(`  ${synonym.toUpperCase()}! `), synonym).toBe(name);
    }
  });

  it.each([
    ["plumbers", "plumbing"],
    ["Plumbing & Sons Ltd.", "plumbing"],
    ["24/7 emergency plumber near me", "plumbing"],
    ["we run a small bakery in Cork", "bakery"],
    ["Smith and Jones, attorneys at law", "legal"],
    ["Dr. Miller's dental office", "dental"],
    ["heating & cooling", "hvac"],
    ["roofers", "roofing"],
    ["house painters", "painting"],
    ["dog groomers", "pet grooming"],
    ["Friseur", "salon"],
    ["Steuerberater", "accounting"],
    ["vétérinaire", "veterinary"],
    ["Bäckerei Huber", "bakery"],
    ["mobile car detailing", "car wash and detailing"],
    ["wedding photographers", "photography"],
    ["restaurant and bar", "restaurant"],
    ["Realtors®", "real estate"],
  ])("%s is %s", (trade, vertical) => {
    expect(nameOf(trade)).toBe(vertical);
  });

  it.each([
    ["plumer", "plumbing"],
    ["plumbre", "plumbing"],
    ["electrican", "electrical"],
    ["electrcian", "electrical"],
    ["dentits", "dental"],
    ["resturant", "restaurant"],
    ["restaraunt", "restaurant"],
    ["acountant", "accounting"],
    ["veterinerian", "veterinary"],
    ["chiropracter", "chiropractic"],
    ["laywer", "legal"],
    ["landscapping", "landscaping"],
    ["real estaet agent", "real estate"],
    ["hairdreser", "salon"],
    ["photograpy", "photography"],
    ["pharmasist", "pharmacy"],
  ])("%s, mistyped, is %s", (trade, vertical) => {
    expect(nameOf(trade)).toBe(vertical);
  });

  it("by the longer phrase when two fit", () => {
    expect(nameOf("carpet cleaning")).toBe("cleaning");
    expect(nameOf("dry cleaning")).toBe("laundry and dry cleaning");
    expect(nameOf("dog training")).toBe("pet boarding");
    expect(nameOf("Baker Plumbing")).toBe("plumbing");
  });
});

describe("no wrong vertical", () => {
  it.each([
    "zorblax",
    "qwertyuiop",
    "asdf",
    "lorem ipsum dolor",
    "xyz corp",
    "🙂🙂",
    "12345",
    "---",
    "東京",
    "train station",
    "clean energy",
    "painted desert",
    "the reality of rooting",
    "message in a bottle",
    "rental",
  ])("for %s", (trade) => {
    expect(nameOf(trade)).toBeUndefined();
  });

  it("for letters at random", () => {
    const letter = fc.constantFrom(...Array.from("abcdefghijklmnopqrstuvwxyz"));
    const letters = fc.array(letter, { minLength: 6, maxLength: 14 }).map((word) => word.join(""));
    fc.assert(
      fc.property(letters, (word) => {
        expect(nameOf(word)).toBeUndefined();
      }),
      { numRuns: 3_000, seed: 42 },
    );
  });

  it("for any text at all: it never throws, and gives a vertical or none", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const found = findVertical(text);
        expect(found === undefined || VERTICALS.includes(found)).toBe(true);
      }),
    );
  });

  it("for an English word that means something else", () => {
    const wrong = englishWords().filter((word) => {
      const found = findVertical(word);
      return found !== undefined && ![found.name, ...found.synonyms].some((synonym) => isAkin(word, synonym));
    });
    expect(wrong).toEqual([]);
  });
});

/** Every fourth English word of six to fourteen letters: all of them would take long for little more. */
function englishWords(): string[] {
  const words = readFileSync(wordListPath, "utf8").split("\n");
  return words.filter((word, index) => index % 4 === 0 && word.length >= 6 && word.length <= 14);
}

/** Whether a word begins as one of a synonym's words does, over most of its length. */
function isAkin(word: string, synonym: string): boolean {
  return wordsOf(synonym).some((part) => {
    let shared = 0;
    while (shared < word.length && word[shared] === part[shared]) shared++;
    return shared >= Math.min(5, 0.55 * word.length);
  });
}
