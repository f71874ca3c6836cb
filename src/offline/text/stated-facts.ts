import { splitSentences } from "./sentences.ts";

/** `Remember that ...`: what follows is the fact. */
const ASKED_TO_REMEMBER =
  /^(?:(?:hi|hello|hey|ok|okay|so|and|also|please|by the way)[,!]?\s+){0,3}(?:remember|note|keep in mind|take note|don['’]t forget|do not forget|for the record|fyi)\b[:,]?\s*(?:that\b|this\b:?)?\s*(.+)$/isu;
/** `My name is ...`, `Our office opens at ...`. */
const OWN_THING =
  /^(?:my|our)\s[\p{L}\p{N}'’ -]{1,60}?\s(?:is|are|was|were|will be|has|have|opens?|closes?|starts?|ends?|lives?|works?|costs?)\s/iu;
/** `I prefer ...`, `I am ...`, `we use ...`; not `I wonder` or `I want to know`. */
const OF_ONESELF =
  /^(?:i|we)(?:['’](?:m|re|ve)|\s+(?:am|are|live|work|prefer|like|love|hate|dislike|enjoy|use|own|have|speak|study|play|eat|drink|always|never|usually|was born|come from|grew up))\s(?!(?:wondering|asking|curious|not sure|unsure|looking for|trying to|a question|to know)\b)/iu;
const CALLED = /^(?:please\s+)?call me\s/iu;
/** Where a question begins after a statement. */
const QUESTION_BEGINS =
  /[,;:–-]\s+(?:and\s+|so\s+|but\s+)?(?=(?:what|how|who|whom|whose|when|where|why|which|can|could|do|does|did|is|are|will|would|should|please tell)\b)/iu;
const SECRET = /\b(?:pass(?:word|phrase|code)|pin|secret|api[ -]?key|token|credential|cvv|private key)s?\b/i;

const FACT_CHARS = 300;

/**
 * The facts that a text states about its author, or asks to be remembered, in order; never what looks like a secret.
 * A question states none.
 */
export function statedFacts(text: string): string[] {
  const facts = splitSentences(text)
    .flatMap((sentence) => sentence.split(QUESTION_BEGINS).slice(0, 1))
    .map((clause) => clause.trim())
    .filter((clause) => !clause.endsWith("?"))
    .flatMap(factOf)
    .filter((fact) => fact.length <= FACT_CHARS && !SECRET.test(fact));
  return [...new Set(facts)];
}

function factOf(clause: string): string[] {
  const asked = ASKED_TO_REMEMBER.exec(clause)?.[1]?.trim();
  if (asked !== undefined && asked !== "") return [sentenceOf(asked)];
  return [OWN_THING, OF_ONESELF, CALLED].some((pattern) => pattern.test(clause)) ? [sentenceOf(clause)] : [];
}

/** With a capital at its beginning and a full stop at its end. */
function sentenceOf(clause: string): string {
  const [first = ""] = clause;
  return `${first.toUpperCase()}${clause.slice(first.length).replace(/(?<![\s,;:])[\s,;:]+$/, "")}`.replace(
    /(?<![.!])$/,
    ".",
  );
}
