import { keywords, words } from "./keywords.ts";
import { splitSentences } from "./sentences.ts";
import { stem } from "./stem.ts";

/** A row of a rule table: what it gives to a text that says one of its terms. */
export type Rule<T> = {
  /** Words and phrases; inflected forms count as well. One of them must occur. */
  readonly any: readonly string[];
  /** Where one of these occurs in the same sentence, that sentence does not count. */
  readonly none?: readonly string[];
  readonly gives: T;
};

/** A rule that applied. */
export type Fired<T> = {
  readonly gives: T;
  /** The rule's terms that occur, each once. */
  readonly terms: readonly string[];
  /** The sentences that they occur in, in order. */
  readonly evidence: readonly string[];
};

/** The rules that apply to a text, in the order of the table, with what in the text made them. */
export function applyRules<T>(text: string, rules: readonly Rule<T>[]): Fired<T>[] {
  const sentences = splitSentences(text).map((sentence) => ({ sentence, stems: stemLine(sentence) }));
  return rules.flatMap(({ any, none = [], gives }) => {
    const unwanted = none.map(stemLine);
    const free = sentences.filter(({ stems }) => !unwanted.some((term) => stems.includes(term)));
    const found = any
      .map((term) => ({ term, line: stemLine(term) }))
      .filter(({ line }) => free.some(({ stems }) => stems.includes(line)));
    const terms = found.map(({ term }) => term);
    const evidence = free.filter(({ stems }) => found.some(({ line }) => stems.includes(line)));
    return terms.length === 0 ? [] : [{ gives, terms, evidence: evidence.map(({ sentence }) => sentence) }];
  });
}

/** Whether a text says a word or phrase, in whatever inflected form. */
export const says = (text: string, term: string): boolean => stemLine(text).includes(stemLine(term));

/** All stems of a text in a line, with spaces around each, so that phrases are found in it. */
const stemLine = (text: string): string => ` ${words(text).map(stem).join(" ")} `;

const NEGATIONS = new Set(
  "no not never none without cannot can't don't doesn't didn't isn't aren't wasn't weren't won't shouldn't wouldn't couldn't haven't hasn't neither nor lacks lacking".split(
    " ",
  ),
);

/** Whether a sentence denies something: holds a word such as `not` or `without`. */
export const isNegated = (sentence: string): boolean => words(sentence).some((word) => NEGATIONS.has(word));

/** The share of `part`'s keywords that `whole` has as well, 0 to 1; 0 where it has none. */
export function coverage(part: string, whole: string): number {
  const wanted = new Set(keywords(part));
  const present = new Set(keywords(whole));
  return wanted.size === 0 ? 0 : [...wanted].filter((word) => present.has(word)).length / wanted.size;
}
