/** Longer ones are no words, and would take the patterns below quadratic time. */
const LONGEST_WORD = 50;

/** The words of a text come again and again, and so do those of all texts. */
const KNOWN_LIMIT = 20_000;
const known = new Map<string, string>();

/**
 * The stem of an English word in small letters: what its inflected forms have in common, not always a word itself.
 * The algorithm is M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980.
 */
export function stem(word: string): string {
  if (word.length < 3 || word.length > LONGEST_WORD || !/^[a-z]+$/.test(word)) return word;
  const before = known.get(word);
  if (before !== undefined) return before;
  if (known.size >= KNOWN_LIMIT) known.clear();
  const found = strip(word);
  known.set(word, found);
  return found;
}

function strip(word: string): string {
  let result = word.startsWith("y") ? `Y${word.slice(1)}` : word;
  result = plurals(result);
  result = pastAndGerund(result);
  if (/^.*[aeiouy].*y$/.test(result)) result = `${result.slice(0, -1)}i`;
  result = replaceSuffix(result, STEP_2);
  result = replaceSuffix(result, STEP_3);
  result = dropSuffix(result);
  return tidyEnd(result).toLowerCase();
}

const CONSONANTS = "[^aeiou][^aeiouy]*";
const VOWELS = "[aeiouy][aeiou]*";
/** The measure of a stem: how many times a vowel group is followed by a consonant group. */
const MEASURE_ABOVE_0 = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const MEASURE_IS_1 = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}(?:${VOWELS})?$`);
const MEASURE_ABOVE_1 = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`);
const HAS_VOWEL = new RegExp(`^(?:${CONSONANTS})?[aeiouy]`);
const SHORT_END = new RegExp(`^${CONSONANTS}[aeiouy][^aeiouwxy]$`);

function plurals(word: string): string {
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function pastAndGerund(word: string): string {
  if (word.endsWith("eed")) return MEASURE_ABOVE_0.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const base = word.replace(/(?:ed|ing)$/, "");
  if (base === word || !HAS_VOWEL.test(base)) return word;
  if (/(?:at|bl|iz)$/.test(base) || SHORT_END.test(base)) return `${base}e`;
  return /([^aeiouylsz])\1$/.test(base) ? base.slice(0, -1) : base;
}

function replaceSuffix(word: string, suffixes: readonly (readonly [string, string])[]): string {
  const found = suffixes.find(([suffix]) => word.endsWith(suffix));
  if (found === undefined) return word;
  const base = word.slice(0, -found[0].length);
  return MEASURE_ABOVE_0.test(base) ? base + found[1] : word;
}

function dropSuffix(word: string): string {
  const suffix =
    /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic|ou)$|(?<=[st])ion$/.exec(
      word,
    );
  if (suffix === null) return word;
  const base = word.slice(0, suffix.index);
  return MEASURE_ABOVE_1.test(base) ? base : word;
}

function tidyEnd(word: string): string {
  let result = word;
  if (result.endsWith("e")) {
    const base = result.slice(0, -1);
    if (MEASURE_ABOVE_1.test(base) || (MEASURE_IS_1.test(base) && !SHORT_END.test(base))) result = base;
  }
  return result.endsWith("ll") && MEASURE_ABOVE_1.test(result) ? result.slice(0, -1) : result;
}

const STEP_2 = [
  ["ational", "ate"],
  ["ization", "ize"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["entli", "ent"],
  ["ousli", "ous"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["alli", "al"],
  ["ator", "ate"],
  ["logi", "log"],
  ["bli", "ble"],
  ["eli", "e"],
] as const;

const STEP_3 = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
] as const;
