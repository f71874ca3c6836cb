import { ALNUM, DIGIT, isIn } from "./characters.ts";

/** In characters; below this a value says too little. */
export const SHORTEST_CREDENTIAL = 16;
const LONGEST_LOOK = 512;
const BITS_PER_CHARACTER = 3;
const MIXES_OF_RANDOM_TEXT = 4;
const MOST_WORDS = 0.5;
const SHORTEST_WITHOUT_DIGITS = 20;
const MOST_WORDS_WITHOUT_DIGITS = 0.25;
const LONGEST_WORD = 16;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const PLACEHOLDER = /example|your|change_?me|placeholder|redacted|dummy|insert|replace|sample|xxxx|\.{3}/i;

/**
 * Whether a value looks drawn at random, as issued credentials are, and not written by a person: Shannon entropy of at
 * least 3 bits a character, digits among the letters, and few parts that read as words.
 */
export function looksRandom(value: string): boolean {
  if (value.length < SHORTEST_CREDENTIAL) return false;
  const look = value.slice(0, LONGEST_LOOK);
  if (entropy(look) < BITS_PER_CHARACTER || PLACEHOLDER.test(look)) return false;
  if (UUID.test(look)) return true;
  const mixes = mixesIn(look);
  if (mixes >= MIXES_OF_RANDOM_TEXT) return true;
  if (mixes > 0) return wordShare(look) <= MOST_WORDS;
  return (
    look.length >= SHORTEST_WITHOUT_DIGITS && !/\d/.test(look) && wordShare(look) <= MOST_WORDS_WITHOUT_DIGITS
  );
}

/** Shannon entropy of an ASCII text, in bits for each character. */
function entropy(text: string): number {
  const counts = new Uint16Array(128);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    counts[code] = (counts[code] ?? 0) + 1;
  }
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** How often a letter and a digit stand side by side. */
function mixesIn(text: string): number {
  let mixes = 0;
  for (let at = 1; at < text.length; at++) {
    const both = isIn(text, at - 1, ALNUM) && isIn(text, at, ALNUM);
    if (both && isIn(text, at - 1, DIGIT) !== isIn(text, at, DIGIT)) mixes++;
  }
  return mixes;
}

/**
 * The share of characters in parts that read as words: four to sixteen letters of one case, or capitalised, with a
 * vowel and never five consonants in a row.
 */
function wordShare(text: string): number {
  let inWords = 0;
  for (const [part] of text.matchAll(/[A-Z]?[a-z]{1,64}|[A-Z]{1,64}/g)) {
    const sayable = /[aeiouy]/i.test(part) && !/[^aeiouy]{5}/i.test(part);
    if (part.length >= 4 && part.length <= LONGEST_WORD && sayable) inWords += part.length;
  }
  return inWords / text.length;
}
