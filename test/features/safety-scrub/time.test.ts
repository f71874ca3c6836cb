import { describe, expect, it } from "vitest";
import { scrub } from "../../../src/features/safety-scrub/scrub.ts";

const MEBIBYTE = 1_048_576;
const TRIES = 3;
/** Four times the text takes four times the time; quadratic behaviour would take sixteen times. */
const MOST_GROWTH = 8;
/** Below this the clock and the compiler count for more than the text. */
const TOO_SHORT_MS = 100;

const adversarial = [
  "-",
  "=",
  "a",
  "a-",
  "a.",
  "\\n",
  "x = ",
  "1 ",
  "+1 ",
  "4111 ",
  "4111-1111-1111-1111-",
  "4111111111111112 ",
  "2341 2341 2346 ",
  "123456782 ",
  "AB 12 34 56 ",
  "1 85 05 78 ",
  "ssn ",
  "sk-",
  "sk-proj-",
  "sk-proj-a ",
  "ghp_",
  "EAA",
  "xoxb-1-1-1-",
  "eyJ-",
  "eyJhbGciOiJIUzI1NiJ9.",
  "api_key=",
  "api_key=a",
  "Bearer ",
  "token = aaaaaaaaaaaaaaaa ",
  "Bearer a1b2c3d4e5f6g7h8i9 ",
  "-----BEGIN ",
  "-----BEGIN PRIVATE KEY-----",
  "-----BEGIN PRIVATE KEY-----\n",
  "-----END PRIVATE KEY-----",
  "Abc: -----BEGIN PRIVATE KEY-----\n",
  "-----BEGIN PRIVATE KEY-----\nAbc: d\n",
  "abcd\n-----END PRIVATE KEY-----",
  "  \n \\n",
  "4111 4111 4111aaaaaaaaaaaaaaaa ",
  "hello world this is prose. ",
  "\u{1F600}",
];

describe("time is linear in the length of the text", () => {
  it.each(adversarial)("for %j over and over", (unit) => {
    const quarter = textOf(unit, MEBIBYTE / 4);
    const whole = textOf(unit, MEBIBYTE);
    scrub(quarter);
    const quarterMs = fastest(quarter);
    expect(fastest(whole)).toBeLessThan(Math.max(MOST_GROWTH * quarterMs, TOO_SHORT_MS));
  });
});

/** A flat string, as a parsed body is: one made by joining would be measured with its joints. */
function textOf(unit: string, bytes: number): string {
  return Buffer.from(unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit)))).toString("utf8");
}

/** The processor's time for the fastest of some tries, in milliseconds: what else runs on the machine counts little. */
function fastest(text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES; i++) {
    const start = process.cpuUsage();
    scrub(text);
    best = Math.min(best, process.cpuUsage(start).user / 1_000);
  }
  return best;
}
