import { functionsIn } from "./arithmetic/functions.ts";
import { judge, readClaim } from "./arithmetic/claim.ts";

/** What came of trying to refute a claim. */
export type Verdict = {
  readonly refuted: boolean;
  readonly counterexample: string | null;
  readonly attempts: string[];
  readonly confidence: number;
};

/** Words that stand where a counterexample should. */
const NO_COUNTEREXAMPLE =
  /^(?:none|no|null|nil|n\/?a|unknown|undefined|not applicable|no counterexample(?: was)?(?: found)?|-)?[.!]?$/i;
const ASSIGNMENT = /\b([a-z]) ?= ?(-?\d{1,15}(?:\.\d{1,10})?)\b/g;

/**
 * The verdict that an answer bears out. Without a counterexample nothing is refuted. One that gives the variables of
 * an arithmetical claim is calculated, and does not count where the claim holds for it.
 */
export function verdictOf(claim: string, code: string | undefined, answer: Verdict): Verdict {
  const counterexample = answer.counterexample ?? "";
  if (!answer.refuted) return { ...answer, counterexample: null };
  if (NO_COUNTEREXAMPLE.test(counterexample)) {
    return notRefuted(
      answer,
      "The claim was called false without a counterexample, so it does not count as refuted.",
    );
  }
  if (holdsAt(claim, code, counterexample)) {
    return notRefuted(
      answer,
      `Calculated the counterexample that was named (${counterexample}): the claim holds there.`,
    );
  }
  return { ...answer, counterexample };
}

const notRefuted = (answer: Verdict, attempt: string): Verdict => ({
  refuted: false,
  counterexample: null,
  attempts: [...answer.attempts, attempt],
  confidence: Math.min(answer.confidence, 1 - answer.confidence),
});

/** Whether an arithmetical claim holds for the values that a counterexample gives its variables. */
function holdsAt(claim: string, code: string | undefined, counterexample: string): boolean {
  const read = readClaim(claim, functionsIn(code ?? ""));
  if (read === undefined || read.kind !== "all" || read.variables.length === 0) return false;
  const values = new Map<string, number>();
  for (const [, name = "", value] of counterexample.matchAll(ASSIGNMENT)) {
    if (!values.has(name)) values.set(name, Number(value));
  }
  if (!read.variables.every(({ name }) => values.has(name))) return false;
  return ["holds", "outside"].includes(judge(read, values).verdict);
}
