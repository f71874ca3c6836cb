import { OTHER_WORDS } from "./other-words.ts";
import { forgiven, typingErrors } from "./typing-errors.ts";
import type { Vertical } from "./vertical.ts";
import { VERTICALS } from "./verticals.ts";
import { stemOf, wordsOf } from "./words.ts";

type Phrase = {
  readonly vertical: Vertical;
  readonly words: readonly string[];
  readonly stems: readonly string[];
  /** What may be meant by a mistyped word at each place. */
  readonly forms: readonly (readonly string[])[];
};

const PHRASES: readonly Phrase[] = VERTICALS.flatMap((vertical) =>
  [vertical.name, ...vertical.synonyms].map((synonym) => {
    const words = wordsOf(synonym);
    return { vertical, words, stems: words.map(stemOf), forms: words.map(formsOf) };
  }),
);
const WHOLE = new Map(PHRASES.map((phrase) => [phrase.words.join(" "), phrase.vertical]));

/** The phrases by their first stem. */
const BY_FIRST_STEM = Map.groupBy(PHRASES, ({ stems }) => stems[0] ?? "");

/** The phrases by their first letter, which is hardly ever mistyped. */
const BY_FIRST_LETTER = Map.groupBy(PHRASES, ({ words }) => words[0]?.[0] ?? "");

/** More words than a trade has; what comes after is not looked at. */
const MOST_WORDS = 40;

/**
 * The vertical that a trade's name means: by a synonym as it stands, else by the longest phrase in it whose words have
 * the same stems, else by a word with typing errors that only one vertical's words explain. Undefined when none fits:
 * better no vertical than a wrong one.
 */
export function findVertical(trade: string): Vertical | undefined {
  const words = wordsOf(trade).slice(0, MOST_WORDS);
  return WHOLE.get(words.join(" ")) ?? byStems(words) ?? byTypingErrors(words);
}

/** Of several phrases the one with more words counts, then the one with more letters, then the later: the head noun. */
function byStems(words: readonly string[]): Vertical | undefined {
  const stems = words.map(stemOf);
  let best: Phrase | undefined;
  for (const [at, stem] of stems.entries()) {
    for (const phrase of BY_FIRST_STEM.get(stem) ?? []) {
      const fits = phrase.stems.every((part, offset) => part === stems[at + offset]);
      if (fits && (best === undefined || weight(phrase) >= weight(best))) best = phrase;
    }
  }
  return best?.vertical;
}

const WORD_WEIGHT = 1_000;

const weight = ({ words }: Phrase): number => words.length * WORD_WEIGHT + words.join("").length;

function byTypingErrors(words: readonly string[]): Vertical | undefined {
  let fewest = Number.POSITIVE_INFINITY;
  let found = new Set<Vertical>();
  for (const [at, word] of words.entries()) {
    for (const phrase of BY_FIRST_LETTER.get(word.charAt(0)) ?? []) {
      const errors = errorsIn(words.slice(at, at + phrase.words.length), phrase);
      if (errors > fewest) continue;
      if (errors < fewest) found = new Set();
      if (Number.isFinite(errors)) found.add(phrase.vertical);
      fewest = errors;
    }
  }
  return found.size === 1 ? [...found][0] : undefined;
}

/** The typing errors that make words of a phrase; infinite when there are more than are forgiven. */
function errorsIn(words: readonly string[], phrase: Phrase): number {
  if (words.length !== phrase.words.length) return Number.POSITIVE_INFINITY;
  let errors = 0;
  for (const [place, forms] of phrase.forms.entries()) {
    const word = words[place] ?? "";
    if (stemOf(word) === phrase.stems[place]) continue;
    const fewest = mayBeMistyped(word)
      ? Math.min(...forms.map((form) => errorsFrom(word, form)))
      : Number.POSITIVE_INFINITY;
    errors += fewest;
    if (errors === Number.POSITIVE_INFINITY) break;
  }
  return errors;
}

function errorsFrom(word: string, form: string): number {
  const most = forgiven(form);
  const errors = typingErrors(word, form, most);
  return errors > most ? Number.POSITIVE_INFINITY : errors;
}

/** A word that means something else is no typing error, nor is what was done to a thing: `painted`. */
const mayBeMistyped = (word: string): boolean =>
  forgiven(word) > 0 && !word.endsWith("ed") && !OTHER_WORDS.has(word);

function formsOf(word: string): string[] {
  const doing = stemOf(word);
  if (!doing.endsWith("~")) return [word];
  const stem = doing.slice(0, -1);
  return [word, `${stem}er`, `${stem}ing`];
}
