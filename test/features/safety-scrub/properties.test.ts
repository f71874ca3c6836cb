import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KINDS, MARKERS } from "../../../src/features/safety-scrub/kinds.ts";
import { scrub } from "../../../src/features/safety-scrub/scrub.ts";
import { scrubCorpus } from "../../support/scrub-corpus.ts";

const samples = [...scrubCorpus("true"), ...scrubCorpus("near-miss")].map(({ text }) => text);
const pieces = [
  ...samples.flatMap((text) => [text, text.slice(0, text.length / 2), text.slice(text.length / 3)]),
  ...Object.values(MARKERS),
  ...Array.from(" -_./+=:,;\n\t\"'\\[]<>@#|\u00a0é字\u{1F600}0123456789aZ"),
  "--",
  "-----",
  "Bearer ",
  "api_key=",
  "ssn ",
  "+1 ",
  "\\n",
];
const texts = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary", maxLength: 12 })), {
  maxLength: 14,
});

const RUNS = 1_500;

describe("whatever the text", () => {
  it("scrubbing twice changes nothing more", () => {
    fc.assert(
      fc.property(texts, (parts) => {
        const once = scrub(parts.join("")).scrubbed;
        expect(scrub(once).scrubbed).toBe(once);
      }),
      { numRuns: RUNS },
    );
  });

  it("everything outside the markers is left as it was, in its order", () => {
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join("");
        let at = 0;
        for (const kept of scrub(text).scrubbed.split(
          /\[REDACTED-(?:CARD|NATIONAL-ID|API-KEY|JWT|PRIVATE-KEY)\]/,
        )) {
          const found = text.indexOf(kept, at);
          expect(found).toBeGreaterThanOrEqual(at);
          at = found + kept.length;
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("a well-formed text stays well-formed: no surrogate pair is split", () => {
    fc.assert(
      fc.property(texts, (parts) => {
        expect(scrub(parts.join("").toWellFormed()).scrubbed.isWellFormed()).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  it("kinds are listed once, in the order of the contract, and redacted says whether there are any", () => {
    fc.assert(
      fc.property(texts, (parts) => {
        const { kinds, redacted } = scrub(parts.join(""));
        expect(kinds).toEqual(KINDS.filter((kind) => kinds.includes(kind)));
        expect(redacted).toBe(kinds.length > 0);
      }),
      { numRuns: RUNS },
    );
  });
});
