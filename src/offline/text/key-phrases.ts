import { isStopWord } from "./keywords.ts";
import { stem } from "./stem.ts";

/** A phrase as the text spells it first, and its weight; larger is more important. */
export type KeyPhrase = { readonly phrase: string; readonly score: number };

type Run = readonly { readonly word: string; readonly stem: string }[];
type Candidate = {
  phrase: string;
  stems: string;
  words: number;
  weight: number;
  count: number;
  whole: boolean;
};

const PHRASE_WORDS = 4;
const DEFAULT_LIMIT = 10;

/**
 * The key phrases of a text, the most important first, by RAKE (S. Rose et al., "Automatic keyword extraction from
 * individual documents", 2010): runs of words between stop words and punctuation, weighted by how often their words
 * occur and with how many others. What is repeated within longer runs counts as a phrase, too.
 */
export function keyPhrases(text: string, limit: number = DEFAULT_LIMIT): KeyPhrase[] {
  const runs = wordRuns(text);
  const weights = wordWeights(runs);
  const candidates = [...countPhrases(runs, weights).values()].filter(
    ({ whole, count }) => whole || count > 1,
  );
  const ranked = candidates.sort((a, b) => scoreOf(b) - scoreOf(a));
  const chosen: Candidate[] = [];
  for (const candidate of ranked) {
    if (chosen.length >= limit) break;
    const isPartOf = (other: Candidate): boolean => ` ${other.stems} `.includes(` ${candidate.stems} `);
    if (!chosen.some(isPartOf)) chosen.push(candidate);
  }
  return chosen.map((candidate) => ({ phrase: candidate.phrase, score: scoreOf(candidate) }));
}

/** RAKE's plain sum favours whatever is long; repetition is the better sign. */
const scoreOf = ({ weight, words, count }: Candidate): number => (weight * count) / Math.sqrt(words);

function wordRuns(text: string): Run[] {
  const runs: { word: string; stem: string }[][] = [];
  for (const piece of text.replaceAll("’", "'").split(/[^\p{L}\p{N}'\- ]+/u)) {
    runs.push([]);
    for (const raw of piece.split(" ")) {
      const word = raw.replace(/^['-]+|(?:'s)?['-]*$/gu, "");
      if (word === "" || isStopWord(word.toLowerCase()) || /^\p{N}+$/u.test(word)) runs.push([]);
      else runs.at(-1)?.push({ word, stem: stem(word.toLowerCase()) });
    }
  }
  return runs.filter((run) => run.some(({ word }) => word.length > 2 || /^\p{Lu}{2}$/u.test(word)));
}

/** Of each word: with how many words it stands together, for each time that it occurs. */
function wordWeights(runs: readonly Run[]): Map<string, number> {
  const sums = new Map<string, { degree: number; frequency: number }>();
  for (const run of runs) {
    const degree = Math.min(run.length, PHRASE_WORDS);
    for (const word of run) {
      const sum = sums.get(word.stem) ?? { degree: 0, frequency: 0 };
      sums.set(word.stem, { degree: sum.degree + degree, frequency: sum.frequency + 1 });
    }
  }
  return new Map([...sums].map(([word, { degree, frequency }]) => [word, degree / frequency]));
}

function countPhrases(runs: readonly Run[], weights: ReadonlyMap<string, number>): Map<string, Candidate> {
  const candidates = new Map<string, Candidate>();
  for (const run of runs) {
    for (const part of partsOf(run)) {
      const stems = part.map((word) => word.stem).join(" ");
      const candidate = candidates.get(stems) ?? {
        phrase: part.map(({ word }) => word).join(" "),
        stems,
        words: part.length,
        weight: part.reduce((sum, word) => sum + (weights.get(word.stem) ?? 0), 0),
        count: 0,
        whole: false,
      };
      candidate.count += 1;
      candidate.whole ||= part.length === run.length;
      candidates.set(stems, candidate);
    }
  }
  return candidates;
}

/** All runs of up to four words within a run. */
function partsOf(run: Run): Run[] {
  return run.flatMap((_, start) =>
    Array.from({ length: Math.min(PHRASE_WORDS, run.length - start) }, (_unused, more) =>
      run.slice(start, start + more + 1),
    ),
  );
}
