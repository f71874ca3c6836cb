import { stem } from "./stem.ts";
import { STOP_WORDS } from "./stop-words.ts";

/** The words of a text in small letters, in order: letters and digits of any script, with inner apostrophes. */
export function words(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/[\p{L}\p{N}]+(?:'[\p{L}]+)*/gu) ?? []
  );
}

/** Whether a word in small letters carries no meaning of its own, such as `the`. */
export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);

/** The stems of a text's words without its stop words, in order, with repetitions. */
export function keywords(text: string): string[] {
  return words(text)
    .filter((word) => !isStopWord(word))
    .map((word) => stem(word.replace(/'s$/, "")));
}

/** How often each keyword's stem occurs in a text. */
export function keywordCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const keyword of keywords(text)) counts.set(keyword, (counts.get(keyword) ?? 0) + 1);
  return counts;
}

/** How alike two texts are by their keywords: 0 for nothing in common, 1 for the same words in the same amounts. */
export const similarity = (one: string, other: string): number =>
  cosine(keywordCounts(one), keywordCounts(other));

/** The cosine of the angle between two counts, 0 to 1. */
export function cosine(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one];
  let dot = 0;
  for (const [key, count] of small) dot += count * (large.get(key) ?? 0);
  return dot === 0 ? 0 : Math.min(1, dot / (length(one) * length(other)));
}

function length(counts: ReadonlyMap<string, number>): number {
  let squares = 0;
  for (const count of counts.values()) squares += count * count;
  return Math.sqrt(squares);
}

/** The stems that two texts share, each once, in the order of the first. */
export function sharedKeywords(one: string, other: string): string[] {
  const others = new Set(keywords(other));
  return [...new Set(keywords(one))].filter((keyword) => others.has(keyword));
}

/** A text of a list with how well it fits a query; larger is better, 0 is no word in common. */
export type Relevance = { readonly index: number; readonly text: string; readonly score: number };

/** Saturation of repeated words and weight of a text's length, as S. Robertson and H. Zaragoza (2009) recommend. */
const BM25_K1 = 1.2;
const BM25_B = 0.75;

/** Ranks texts by their relevance to a query with BM25, best first; equal ones keep their order. Gives all of them. */
export function rankByRelevance(query: string, texts: readonly string[]): Relevance[] {
  const counts = texts.map(keywordCounts);
  const lengths = counts.map((count) => [...count.values()].reduce((sum, n) => sum + n, 0));
  const meanLength = Math.max(1, lengths.reduce((sum, n) => sum + n, 0) / Math.max(1, texts.length));
  const wanted = [...new Set(keywords(query))].map((keyword) => {
    const holders = counts.filter((count) => count.has(keyword)).length;
    return { keyword, rarity: Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5)) };
  });
  return texts
    .map((text, index) => {
      const norm = BM25_K1 * (1 - BM25_B + (BM25_B * (lengths[index] ?? 0)) / meanLength);
      const score = wanted.reduce((sum, { keyword, rarity }) => {
        const count = counts[index]?.get(keyword) ?? 0;
        return sum + (rarity * count * (BM25_K1 + 1)) / (count + norm);
      }, 0);
      return { index, text, score };
    })
    .sort((a, b) => b.score - a.score || a.index - b.index);
}
