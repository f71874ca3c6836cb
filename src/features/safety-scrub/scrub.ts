import { findAssigned } from "./assignments.ts";
import { CARDS } from "./cards.ts";
import { ALNUM, DIGIT, isIn, MARK, VALUE, wordAt } from "./characters.ts";
import { JwtFinder } from "./jwt.ts";
import { type Kind, KINDS, MARKERS, type Span } from "./kinds.ts";
import { NATIONAL_IDS } from "./national-ids.ts";
import { isSpace } from "./number-surroundings.ts";
import { NumberFinder } from "./numbers.ts";
import { PemFinder } from "./pem.ts";
import { findToken } from "./tokens.ts";

/** A cleaned text, and what was found in it. */
type Scrubbed = { readonly scrubbed: string; readonly redacted: boolean; readonly kinds: Kind[] };

const NUMBERS = new NumberFinder([CARDS, ...NATIONAL_IDS]);

/** A freed finding frees its neighbour at most; no chain of them is longer than this. */
const MOST_PASSES = 4;

/**
 * Replaces cards, national IDs, API keys, JWTs and private keys in a text by markers; everything else stays as it was.
 * `kinds` lists what was replaced, each once, in the order of `KINDS`. Never throws; the time is linear in the length
 * of the text; scrubbing the result again changes nothing.
 */
export function scrub(text: string): Scrubbed {
  const kinds = new Set<Kind>();
  let scrubbed = text;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const before = scrubbed;
    const spans = findSecrets(before);
    for (const { kind } of spans) kinds.add(kind);
    scrubbed = replaceAll(before, spans);
    if (!spans.some((span) => frees(before, span))) break;
  }
  return { scrubbed, redacted: kinds.size > 0, kinds: KINDS.filter((kind) => kinds.has(kind)) };
}

/**
 * Whether a redaction can free what stands beside it: joined by a mark, or by a space among digits, it looked like part
 * of something longer. What is set apart by anything else was judged without its neighbour.
 */
const frees = (text: string, { start, end }: Span): boolean =>
  joins(text, start - 1, start - 2) || joins(text, end, end + 1);

const joins = (text: string, at: number, beyond: number): boolean =>
  isIn(text, at, MARK) ? isIn(text, beyond, VALUE) : isSpace(text, at) && isIn(text, beyond, DIGIT);

/**
 * One pass from left to right. A finding begins where a word begins, or at the dashes of a PEM block; what is found
 * first is kept, and the search goes on after it.
 */
export function findSecrets(text: string): Span[] {
  const spans: Span[] = [];
  const pem = new PemFinder(text);
  const jwt = new JwtFinder(text);
  let floor = 0;
  for (let at = 0; at < text.length;) {
    if (isIn(text, at, ALNUM)) {
      const word = wordAt(text, at);
      const span =
        findToken(text, word) ??
        jwt.find(word) ??
        NUMBERS.find(text, word, floor) ??
        findAssigned(text, word, floor);
      if (span !== undefined) spans.push(span);
      at = span?.end ?? word.end;
      floor = span?.end ?? floor;
    } else {
      const span = text[at] === "-" ? pem.find(at, floor) : undefined;
      if (span !== undefined) spans.push(span);
      at = span?.end ?? at + 1;
      floor = span?.end ?? floor;
    }
  }
  return spans;
}

function replaceAll(text: string, spans: readonly Span[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, kind } of spans) {
    result += text.slice(at, start) + MARKERS[kind];
    at = end;
  }
  return result + text.slice(at);
}
