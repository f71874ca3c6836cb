import type { TextTier } from "../core/models/models.ts";
import type { Question } from "./question.ts";
import { findArithmetic } from "./text/arithmetic.ts";
import { keyPhrases } from "./text/key-phrases.ts";
import { sharedKeywords } from "./text/keywords.ts";
import { rankSentences, splitSentences } from "./text/sentences.ts";

/** What a tier looks at: the large one gives more sentences and says what the text is about. */
const DEPTH: Readonly<Record<TextTier, { readonly sentences: number; readonly phrases: number }>> = {
  small: { sentences: 2, phrases: 0 },
  large: { sentences: 5, phrases: 6 },
};
const CALCULATIONS = 5;

/**
 * An answer in plain words from the conversation alone: what its arithmetic comes to, and the sentences of the user's
 * texts that are nearest to the last question. Says that no language model wrote it.
 */
export function extractiveAnswer({ tier, messages }: Question): string {
  const texts = messages.filter(({ role }) => role === "user").map(({ text }) => text);
  const last = texts.at(-1) ?? "";
  const question = splitSentences(last).findLast((sentence) => sentence.includes("?"));
  const calculations = findArithmetic(last).slice(0, CALCULATIONS);
  const sentences = relevant(texts.join("\n\n"), question, DEPTH[tier].sentences);
  const phrases = keyPhrases(texts.join("\n\n"), DEPTH[tier].phrases).map(({ phrase }) => phrase);
  const parts = [
    ...calculations.map(
      ({ expression, result, exact }) => `${expression} ${exact ? "=" : "is about"} ${result}`,
    ),
    ...(sentences.length > 0 ? [heading(question, sentences)] : []),
    ...(phrases.length > 0 ? [`It is about: ${phrases.join(", ")}.`] : []),
  ];
  return `${parts.length > 0 ? parts.join("\n") : nothingFor(last)}\n\n${note(tier)}`;
}

function relevant(text: string, question: string | undefined, count: number): string[] {
  const sentences = splitSentences(text).filter((sentence) => sentence !== question);
  const ranked = rankSentences(sentences, question);
  const fitting =
    question === undefined ? ranked : ranked.filter((one) => sharedKeywords(question, one.text).length > 0);
  return fitting
    .slice(0, count)
    .sort((a, b) => a.index - b.index)
    .map((sentence) => sentence.text);
}

const heading = (question: string | undefined, sentences: readonly string[]): string =>
  `${question === undefined ? "The text says in short:" : `To "${question}" the text says:`} ${sentences.join(" ")}`;

const nothingFor = (text: string): string =>
  `Nothing in this conversation answers ${JSON.stringify(Array.from(text.trim()).slice(0, QUOTED_CHARS).join(""))}.`;

const QUOTED_CHARS = 200;

const note = (tier: TextTier): string =>
  `(meshforge-offline-${tier}: offline text methods, no language model. Sentences are quoted from the input.)`;
