import fc from "fast-check";
import { expect, it } from "vitest";
import { readExclusivity } from "../../../src/features/pos-rescue/exclusivity.ts";

const NO = ["no", "n", "none", "false", "0", "not exclusive", "non-exclusive", "nonexclusive"];
const YES = ["yes", "y", "true", "1", "exclusive"];

it.each(NO.flatMap((word) => [word, word.toUpperCase(), ` ${word}\n`]))("reads %j as no", (word) => {
  expect(readExclusivity(word)).toBe("no");
});

it.each(YES.flatMap((word) => [word, word.toUpperCase()]))("reads %j as yes", (word) => {
  expect(readExclusivity(word)).toBe("yes");
});

it.each([
  "",
  "unknown",
  "no idea",
  "no?",
  "nope",
  "not sure",
  "null",
  "off",
  "-",
  "none of your business",
  "n/a",
  "ｎｏ",
])("reads %j, which is no plain no, as unknown", (words) => {
  expect(readExclusivity(words)).toBe("unknown");
});

it("reads nothing else as no", () => {
  fc.assert(
    fc.property(
      fc.string(),
      (said) => NO.includes(said.trim().toLowerCase()) || readExclusivity(said) !== "no",
    ),
  );
});
