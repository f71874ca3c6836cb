import { describe, expect, it } from "vitest";
import { applyRules, coverage, isNegated, says } from "../../../src/offline/text/rules.ts";

const RULES = [
  { any: ["delete", "drop table"], none: ["dry run"], gives: "data loss" },
  { any: ["deadline"], gives: "time" },
];

describe("applyRules", () => {
  it("finds inflected forms and phrases, and shows the sentences that say them", () => {
    const text = "We are deleting users. Lunch at noon. Then dropping tables.";
    expect(applyRules(text, RULES)).toEqual([
      {
        gives: "data loss",
        terms: ["delete", "drop table"],
        evidence: ["We are deleting users.", "Then dropping tables."],
      },
    ]);
  });

  it("passes over a sentence that holds an excluding term", () => {
    expect(applyRules("Delete in a dry run.", RULES)).toEqual([]);
    expect(applyRules("Delete in a dry run. Delete for real.", RULES)[0]?.evidence).toEqual([
      "Delete for real.",
    ]);
  });

  it("does not find a term within a longer word", () => {
    expect(says("undeleted", "delete")).toBe(false);
  });
});

it("isNegated sees not, never and contractions", () => {
  expect(["It is not on.", "It isn’t on.", "Never on.", "It is on; notice it."].map(isNegated)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

it("coverage is the share of the first text's keywords that the second has", () => {
  expect(coverage("red green", "The green house")).toBe(0.5);
  expect(coverage("of the", "of the")).toBe(0);
});
