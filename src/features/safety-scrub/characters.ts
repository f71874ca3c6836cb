/** Classes of ASCII characters, as bits: a union of classes is a class. */
export const DIGIT = 1;
const LETTER = 2;
const URL_MARK = 4;
const PLAIN_MARK = 8;
const DOT = 16;
const VALUE_MARK = 32;
/** What may stand between a name, an operator and a value: blanks and quotes, also escaped. */
export const FILLER = 64;
/** What gives a name its value: `=`, `:`, `:=`, `=>` and the end of an element's tag. */
export const OPERATOR = 128;

export const ALNUM = DIGIT | LETTER;
/** The alphabet of RFC 4648 section 5, without padding. */
export const BASE64URL = ALNUM | URL_MARK;
/** The alphabet of RFC 4648 section 4, without padding. */
export const BASE64 = ALNUM | PLAIN_MARK;
/** What the name of a setting consists of. */
export const NAME = ALNUM | URL_MARK | DOT;
/** The characters of a credential that are neither letters nor digits. */
export const MARK = URL_MARK | PLAIN_MARK | DOT | VALUE_MARK;
/** What a credential consists of: RFC 6750's b64token and percent signs, without padding. */
export const VALUE = ALNUM | MARK;

const CLASSES = classTable();

function classTable(): Uint8Array {
  const table = new Uint8Array(128);
  const mark = (characters: string, bit: number): void => {
    for (const character of characters) table[character.charCodeAt(0)] = bit;
  };
  mark("0123456789", DIGIT);
  mark("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", LETTER);
  mark("-_", URL_MARK);
  mark("+/", PLAIN_MARK);
  mark(".", DOT);
  mark("~%", VALUE_MARK);
  mark(" \t\"'`\\", FILLER);
  mark("=:>", OPERATOR);
  return table;
}

/** Whether the character at an offset belongs to a class. */
export function isIn(text: string, at: number, classes: number): boolean {
  // Outside the text charCodeAt gives NaN, beyond ASCII the table has nothing: neither belongs to any class.
  return ((CLASSES[text.charCodeAt(at)] ?? 0) & classes) !== 0;
}

/** Where the run of characters of a class that begins at `at` ends. */
export function runEnd(text: string, at: number, classes: number): number {
  let end = at;
  while (isIn(text, end, classes)) end++;
  return end;
}

/** Where the run of at most `most` characters of a class that ends at `end` begins, never before `floor`. */
export function runStart(text: string, end: number, classes: number, floor: number, most: number): number {
  const least = Math.max(floor, end - most);
  let start = end;
  while (start > least && isIn(text, start - 1, classes)) start--;
  return start;
}

/** A run of ASCII letters and digits, and whether it has letters. */
export type Word = { readonly start: number; readonly end: number; readonly letters: boolean };

/** The word that begins at `start`. */
export function wordAt(text: string, start: number): Word {
  let seen = 0;
  let end = start;
  for (;;) {
    const classes = (CLASSES[text.charCodeAt(end)] ?? 0) & ALNUM;
    if (classes === 0) return { start, end, letters: (seen & LETTER) !== 0 };
    seen |= classes;
    end++;
  }
}

/** Whether a finding may end at `end`: it does not stop in the middle of a word. */
export const endsWord = (text: string, end: number): boolean =>
  !(isIn(text, end - 1, ALNUM) && isIn(text, end, ALNUM));
