import { cosine, keywordCounts } from "./keywords.ts";

/** A sentence of a text with its place in it and how central it is; larger is more. */
export type RankedSentence = { readonly text: string; readonly index: number; readonly score: number };

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
/** Abbreviations after whose full stop a sentence goes on. */
const GOES_ON =
  /(?:^|[\s("'])(?:mr|mrs|ms|dr|prof|st|sr|jr|vs|no|nos|inc|ltd|co|corp|dept|approx|est|fig|vol|e\.g|i\.e|cf|al|a\.m|p\.m|u\.s|u\.k|[a-z])\.\s*$/i;
const BULLET = /^\s*(?:[-*•‣–]|\d{1,3}[.)]|[a-z][.)]|#{1,6})\s+/i;

/** The sentences of a text, in order. A line break after a heading, a list's item or an empty line ends one as well. */
export function splitSentences(text: string): string[] {
  return paragraphs(text).flatMap(sentencesOfParagraph).filter(hasLetters);
}

/** The items of a text's bulleted or numbered lists, without their marks, in order. */
export function listItems(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => BULLET.test(line))
    .map((line) => line.replace(BULLET, "").trim())
    .filter(Boolean);
}

function paragraphs(text: string): string[] {
  const result: string[] = [];
  let open = false;
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    const content = line.replace(BULLET, "").trim();
    const previous = result.at(-1);
    if (open && previous !== undefined && content !== "" && !BULLET.test(line))
      result[result.length - 1] = `${previous} ${content}`;
    else if (content !== "") result.push(content);
    // A short line without an end mark is a heading or a field, and what follows is no part of it.
    open = content !== "" && (content.length > HEADING_CHARS || /[,;]$/.test(content));
  }
  return result;
}

const HEADING_CHARS = 60;

function sentencesOfParagraph(paragraph: string): string[] {
  const sentences: string[][] = [];
  // Only the last piece is looked at: the whole of a long sentence again and again would take quadratic time.
  let goesOn = false;
  for (const { segment } of segmenter.segment(paragraph)) {
    if (goesOn) sentences.at(-1)?.push(segment);
    else sentences.push([segment]);
    goesOn = GOES_ON.test(segment);
  }
  return sentences.map((pieces) => pieces.join("").trim());
}

const hasLetters = (sentence: string): boolean => /[\p{L}\p{N}]/u.test(sentence);

/** As many sentences are compared with one another; later ones of a longer text count by their words alone. */
const COMPARED_LIMIT = 300;
const DAMPING = 0.85;
const ROUNDS = 30;

/**
 * Ranks a text's sentences, the most central first: TextRank (R. Mihalcea and P. Tarau, 2004) over the keywords that
 * they share, damped. With a query, sentences that share words with it come first.
 */
export function rankSentences(text: string | readonly string[], query = ""): RankedSentence[] {
  const sentences = typeof text === "string" ? splitSentences(text) : text;
  const counts = sentences.map(keywordCounts);
  const central = centrality(counts.slice(0, COMPARED_LIMIT));
  const wanted = keywordCounts(query);
  return sentences
    .map((sentence, index) => ({
      text: sentence,
      index,
      score: (central[index] ?? 0) + QUERY_WEIGHT * cosine(counts[index] ?? new Map(), wanted),
    }))
    .sort((a, b) => b.score - a.score || a.index - b.index);
}

/** A full match with the query outweighs any centrality, which is at most 1. */
const QUERY_WEIGHT = 2;

function centrality(counts: readonly ReadonlyMap<string, number>[]): number[] {
  const alike = counts.map((one, i) => counts.map((other, j) => (i === j ? 0 : cosine(one, other))));
  const sums = alike.map((row) => row.reduce((sum, value) => sum + value, 0));
  let scores = counts.map(() => 1);
  for (let round = 0; round < ROUNDS; round++) {
    scores = alike.map((row) => {
      const received = row.reduce(
        (sum, value, j) => (value === 0 ? sum : sum + (value / (sums[j] ?? 1)) * (scores[j] ?? 0)),
        0,
      );
      return 1 - DAMPING + DAMPING * received;
    });
  }
  const highest = Math.max(...scores, 1);
  return scores.map((score) => score / highest);
}

/** The most central sentences (for the query), at most `count`, in the order of the text. */
export function summarize(text: string, count: number, query = ""): string[] {
  return rankSentences(text, query)
    .slice(0, count)
    .sort((a, b) => a.index - b.index)
    .map((sentence) => sentence.text);
}
