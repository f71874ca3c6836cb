import fc from "fast-check";
import { expect, it } from "vitest";
import { checkOf, GRADES, gradeOf } from "../../../src/features/market-audit-external-posture/observatory.ts";
import {
  type Result,
  RESULTS,
} from "../../../src/features/market-audit-external-posture/observatory-results.ts";

const ALL = Object.keys(RESULTS) as Result[];

it.each([
  [[], 100, "A+"],
  // Bonuses count from 90 on.
  [["csp-implemented-with-no-unsafe", "x-content-type-options-not-implemented"], 100, "A+"],
  [["x-content-type-options-not-implemented", "referrer-policy-unsafe"], 90, "A"],
  [
    ["csp-implemented-with-unsafe-eval", "referrer-policy-unsafe", "x-frame-options-implemented-via-csp"],
    85,
    "A-",
  ],
  [["hsts-not-implemented"], 80, "B+"],
  [["csp-not-implemented"], 75, "B"],
  [["csp-not-implemented", "x-content-type-options-not-implemented"], 70, "B"],
  [["csp-not-implemented", "csp-implemented-with-unsafe-eval"], 65, "B-"],
  [["cookies-session-without-secure-flag"], 60, "C+"],
  [["cross-origin-resource-sharing-implemented-with-universal-access"], 50, "C"],
  // What a site without any of the headers gets from the Observatory.
  [
    [
      "csp-not-implemented",
      "hsts-not-implemented",
      "x-frame-options-not-implemented",
      "x-content-type-options-not-implemented",
    ],
    30,
    "D",
  ],
  [
    [
      "csp-not-implemented",
      "hsts-not-implemented",
      "x-frame-options-not-implemented",
      "x-content-type-options-not-implemented",
      "sri-not-implemented-and-external-scripts-not-loaded-securely",
    ],
    0,
    "F",
  ],
] as const)("gives %j a score of %i, which is %s", (results, score, grade) => {
  expect(gradeOf(results)).toEqual({ score, grade });
});

it("gives the best of all results 145, as the Observatory says less the bonus of its preload list", () => {
  const best = [
    "csp-implemented-with-no-unsafe-default-src-none",
    "cookies-secure-with-httponly-sessions-and-samesite",
    "referrer-policy-private",
    "sri-implemented-and-all-scripts-loaded-securely",
    "x-frame-options-implemented-via-csp",
    "cross-origin-resource-policy-implemented-with-same-origin",
  ] as const;
  expect(gradeOf(best).score + 5).toBe(145);
});

it("never gives a worse grade for a better score", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...ALL)), fc.array(fc.constantFrom(...ALL)), (one, other) => {
      const [a, b] = [gradeOf(one), gradeOf(other)];
      return (
        a.score === b.score ||
        a.score > b.score === GRADES.indexOf(a.grade) < GRADES.indexOf(b.grade) ||
        a.grade === b.grade
      );
    }),
  );
});

it("passes what costs nothing, and fails what costs much", () => {
  for (const result of ALL) {
    const { modifier } = RESULTS[result];
    const { status, severity, detail } = checkOf("x", result);
    expect(status).toBe(modifier >= 0 ? "pass" : modifier > -20 ? "warn" : "fail");
    expect(severity === "info").toBe(modifier >= 0);
    expect(detail).toContain(result);
  }
});
