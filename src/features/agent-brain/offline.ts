import { z } from "zod";
import { defineOffline } from "../../core/models/offline.ts";
import { type Calculation, findArithmetic } from "../../offline/text/arithmetic.ts";
import { keyPhrases } from "../../offline/text/key-phrases.ts";
import { keywords, words } from "../../offline/text/keywords.ts";
import { coverage } from "../../offline/text/rules.ts";
import { splitSentences } from "../../offline/text/sentences.ts";
import { statedFacts } from "../../offline/text/stated-facts.ts";

const asked = z.object({
  question: z.string(),
  memories: z.array(z.object({ ref: z.string(), content: z.string() })),
});

/** What was found for a question; each part may be empty. */
type Findings = {
  readonly calculations: readonly Calculation[];
  readonly facts: readonly string[];
  /** Sentences of memories that say what is asked, best first. */
  readonly recalled: readonly Recalled[];
  /** What stays without an answer, and the memory that comes nearest to one. */
  readonly open: { readonly query: string; readonly nearest: Recalled | undefined } | undefined;
};

type Recalled = {
  readonly ref: string;
  readonly sentence: string;
  /** Words of the question. */
  readonly shared: readonly string[];
  readonly coverage: number;
};

/** Of the question's keywords, the share that a sentence must have to count as an answer. */
const ANSWERS_FROM = 0.6;
const MAX_SENTENCES = { small: 1, large: 3 } as const;
const MAX_FACTS = 3;
const MAX_PHRASES = 5;
const SURE = 0.98;
const NOTED = 0.9;
const BY_MEMORY = { least: 0.3, most: 0.85 };
const NEAREST = 0.25;
const UNKNOWN = 0.1;

/**
 * Thinks without a language model: works out arithmetic, quotes the memories that share the question's keywords, keeps
 * what the caller states, and otherwise says that it does not know, and what it looked for.
 */
export default defineOffline(({ data, tier }) => {
  const { question, memories } = asked.parse(data);
  const facts = statedFacts(question).slice(0, MAX_FACTS);
  const calculations = findArithmetic(question);
  const asking = facts.length === 0 ? question : questionsOf(question);
  const query = calculations.length === 0 ? asking : notCalculated(asking);
  const candidates = sentencesFor(query, memories);
  const recalled = candidates.filter((one) => one.coverage >= ANSWERS_FROM).slice(0, MAX_SENTENCES[tier]);
  const isOpen = query !== "" && recalled.length === 0;
  const findings: Findings = {
    calculations,
    facts,
    recalled,
    open: isOpen ? { query, nearest: candidates[0] } : undefined,
  };
  return {
    answer: answerOf(findings),
    reasoning: reasoningOf(findings, memories.length),
    confidence: confidenceOf(findings),
    used_memories: usedRefs(findings),
    learned: findings.facts,
  };
});

/** The questions of a text that states facts as well. */
const questionsOf = (text: string): string =>
  splitSentences(text)
    .filter((sentence) => sentence.endsWith("?"))
    .join(" ");

const ASKING = "what|which|who|whom|whose|where|when|why|how|should|could|can|is|are|do|does|did|will";
const NEXT_QUESTION = new RegExp(`[?;]|,?\\s(?:and|but|also)\\s(?=(?:${ASKING})\\b)`, "i");
const OPENS_QUESTION = new RegExp(`^(?:${ASKING})\\b`, "i");

/** The parts of a question that ask for something besides arithmetic. */
const notCalculated = (question: string): string =>
  splitSentences(question)
    .flatMap((sentence) => sentence.split(NEXT_QUESTION))
    .map((part) => part.trim())
    .filter((part) => OPENS_QUESTION.test(part) && keywords(part).length > 0 && !/\d/.test(part))
    .join("? ");

/** The sentences of memories that share keywords with the question, by the share of them; equal ones keep their order. */
function sentencesFor(
  question: string,
  memories: readonly { readonly ref: string; readonly content: string }[],
): Recalled[] {
  return memories
    .flatMap(({ ref, content }) =>
      splitSentences(content).map((sentence) => ({
        ref,
        sentence,
        shared: sharedWords(question, sentence),
        coverage: coverage(question, sentence),
      })),
    )
    .filter(({ shared }) => shared.length > 0)
    .sort((a, b) => b.coverage - a.coverage);
}

/** The question's words, as it spells them in small letters, of which a sentence has some form as well. */
function sharedWords(question: string, sentence: string): string[] {
  const present = new Set(keywords(sentence));
  return [...new Set(words(question))].filter((word) => keywords(word).some((stem) => present.has(stem)));
}

function answerOf({ calculations, facts, recalled, open }: Findings): string {
  return [
    ...calculations.map(({ expression, result, exact }) => `${expression} ${exact ? "=" : "≈"} ${result}`),
    ...recalled.map(({ sentence }) => `From memory: ${quoted(sentence)}`),
    ...(facts.length === 0 ? [] : [`Noted: ${facts.join(" ")}`]),
    ...(open === undefined ? [] : [unknownAnswer(open)]),
  ].join("\n");
}

function unknownAnswer({ query, nearest }: NonNullable<Findings["open"]>): string {
  const phrases = keyPhrases(query, MAX_PHRASES).map(({ phrase }) => phrase);
  const about = phrases.length === 0 ? "" : ` The question is about: ${phrases.join(", ")}.`;
  const near =
    nearest === undefined
      ? "No memory of this scope speaks of it."
      : `The nearest memory says ${quoted(nearest.sentence)}, which does not settle it.`;
  return `I work offline, without a language model, and cannot answer this from arithmetic or memory alone.${about} ${near} Store what is known about it with agent-memory and ask again, or connect a language model.`;
}

const quoted = (sentence: string): string => `“${sentence}”`;

function reasoningOf({ calculations, facts, recalled, open }: Findings, considered: number): string {
  const nearest = open?.nearest;
  const memories = considered === 1 ? "1 memory was" : `${considered} memories were`;
  return [
    `${memories} looked at by plain text methods, without a language model.`,
    ...(calculations.length === 0 ? [] : ["The arithmetic in the question was computed exactly."]),
    ...recalled.map(({ ref, shared }) => `Memory ${ref} shares ${shared.join(", ")} with the question.`),
    ...(nearest === undefined
      ? []
      : [`Memory ${nearest.ref} shares only ${nearest.shared.join(", ")} with the question.`]),
    ...(facts.length === 0 ? [] : ["What the caller stated was taken as given."]),
  ].join(" ");
}

function confidenceOf({ calculations, recalled, open }: Findings): number {
  if (open !== undefined) return open.nearest === undefined ? UNKNOWN : NEAREST;
  if (calculations.length > 0) return SURE;
  const [best] = recalled;
  if (best === undefined) return NOTED;
  const share = (best.coverage - ANSWERS_FROM) / (1 - ANSWERS_FROM);
  return Number((BY_MEMORY.least + (BY_MEMORY.most - BY_MEMORY.least) * share).toFixed(2));
}

function usedRefs({ recalled, open }: Findings): string[] {
  const used = open?.nearest === undefined ? recalled : [open.nearest];
  return [...new Set(used.map(({ ref }) => ref))];
}
