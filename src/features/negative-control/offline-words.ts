import { cutCodePoints } from "../../core/catalog/input.ts";
import { rankSentences, splitSentences } from "../../offline/text/sentences.ts";

const CODE_SIGNS = /[;{}=<>]|\w\(|^\s*(?:def|if|for|return|import|class)\b.*:?\s*$/;

/** Of a line, or of a sentence that is quoted. */
const LOOKED_AT_CHARS = 400;

/** Of a description: one that is longer has said what it is about. */
const WORDS_CHARS = 10_000;

/** Whether a fix is described in words: most of its lines have none of the signs of code. */
export function isWords(fix: string): boolean {
  const lines = fix.split("\n").filter((line) => line.trim() !== "");
  return lines.filter((line) => CODE_SIGNS.test(line.slice(0, LOOKED_AT_CHARS))).length * 2 < lines.length;
}

/** Of a fix in words the sentence that its context is about is the one to take back. */
export function controlOfWords(fix: string, context: string): { assertion: string; minimal_revert: string } {
  const sentences = splitSentences(fix.slice(0, WORDS_CHARS));
  const change = quotable(rankSentences(sentences, context)[0]?.text ?? fix);
  const [trouble] = splitSentences(context.slice(0, WORDS_CHARS));
  const trigger = trouble === undefined ? "The case that the fix is for" : `The case “${quotable(trouble)}”`;
  return {
    assertion: `${trigger} comes out right while this is in place: “${change}”; with this alone taken back, it comes out wrong again.`,
    minimal_revert: `Take back this alone, and leave everything else as it is: ${change}.`,
  };
}

const quotable = (sentence: string): string => cutCodePoints(sentence, LOOKED_AT_CHARS).replace(/[.!]$/, "");
