import { cutCodePoints } from "../../core/catalog/input.ts";
import { defineOffline } from "../../core/models/offline.ts";
import { keywords } from "../../offline/text/keywords.ts";
import { applyRules, type Fired, says } from "../../offline/text/rules.ts";
import { listItems, splitSentences, summarize } from "../../offline/text/sentences.ts";
import type { VERDICTS } from "./index.ts";
import { type Risk, RISKS } from "./risks.ts";
import { isAction, VERB, withoutLead } from "./verbs.ts";

const OWN_STEPS_LIMIT = 10;
const QUOTED_CHARS = 120;
const FORBIDS = 3;
const CAUTIONS = 2;
/** With fewer words that mean something, a task cannot be judged. */
const TELLING_WORDS = 3;

const RULES = RISKS.map((gives) => ({
  any: gives.any,
  ...(gives.none === undefined ? {} : { none: gives.none }),
  gives,
}));

type Weighed = { readonly risk: Risk; readonly weight: number; readonly sentence: string };

/** Takes the task's own clauses as steps, and finds its risks in a table; the safeguards of those are steps as well. */
export default defineOffline(({ data }) => {
  const { task } = data as { readonly task: string };
  const weighed = applyRules(task, RULES)
    .map((fired) => weigh(fired, task))
    .sort((a, b) => b.weight - a.weight);
  const risks = [...weighed.map(({ sentence }) => sentence), ...tooLittle(task)];
  const verdict = judge(weighed, risks.length > weighed.length);
  const steps = stepsOf(task, weighed);
  return { summary: summaryOf(task, steps, weighed, verdict), steps, risks, verdict };
});

function weigh({ gives: risk, evidence }: Fired<Risk>, task: string): Weighed {
  const eased = risk.eased?.find((term) => says(task, term));
  const quoted = `"${shortened(evidence[0] ?? task)}"`;
  return eased === undefined
    ? { risk, weight: risk.weight, sentence: `${risk.says}: ${quoted}.` }
    : {
        risk,
        weight: risk.weight - 1,
        sentence: `${risk.says}: ${quoted}. The task mentions what eases it: ${eased}.`,
      };
}

function judge(weighed: readonly Weighed[], isTooLittle: boolean): (typeof VERDICTS)[number] {
  const gravest = weighed[0]?.weight ?? 0;
  if (gravest >= FORBIDS) return "no-go";
  const sum = weighed.reduce((total, { weight }) => total + weight, isTooLittle ? CAUTIONS : 0);
  return gravest >= CAUTIONS || sum >= CAUTIONS ? "caution" : "go";
}

const tooLittle = (task: string): string[] =>
  new Set(keywords(task)).size >= TELLING_WORDS
    ? []
    : [
        `"${shortened(task)}" says too little: what it is for, what is in and out, and when it counts as done are open.`,
      ];

/** Ends of clauses: connectives, semicolons, and commas or `and` before a further verb. */
const CLAUSE_END = new RegExp(
  `;\\s*|,?\\s+(?:and then|and finally|after that|afterwards|then|finally)\\s*,?\\s+|(?:,|,?\\s+and)\\s+(?=${VERB}\\b)`,
  "i",
);

function stepsOf(task: string, weighed: readonly Weighed[]): string[] {
  const own = ownSteps(task).slice(0, OWN_STEPS_LIMIT).map(asSentence);
  const guards = (when: "first" | "last"): string[] =>
    weighed.flatMap(({ risk: { safeguard }, weight, risk }) =>
      safeguard?.when === when && weight === risk.weight ? [safeguard.step] : [],
    );
  const closing = `Check that it is done: ${shortened(splitSentences(task)[0] ?? task)}`;
  return [...new Set([...guards("first"), ...own, ...guards("last"), asSentence(closing)])];
}

/** The items of a list, else the clauses that order something, else the sentences. */
function ownSteps(task: string): string[] {
  const items = listItems(task);
  if (items.length > 1) return items;
  const clauses = splitSentences(task).flatMap((sentence) => sentence.split(CLAUSE_END));
  const actions = clauses.filter((clause) => clause !== undefined && isAction(clause));
  return actions.length > 0 ? actions : splitSentences(task);
}

function summaryOf(
  task: string,
  steps: readonly string[],
  [gravest]: readonly Weighed[],
  verdict: string,
): string {
  const about = shortened(summarize(task, 1)[0] ?? task);
  const reason =
    gravest === undefined
      ? "nothing in it speaks against starting"
      : gravest.risk.says.replace(/^./, (letter) => letter.toLowerCase());
  return `${about} That is ${steps.length} steps; the verdict is ${verdict}: ${reason}.`;
}

function asSentence(clause: string): string {
  const bare = withoutLead(clause).replace(/[\s.,;:!]+$/, "");
  return `${bare.slice(0, 1).toUpperCase()}${bare.slice(1)}.`;
}

const shortened = (text: string): string =>
  text.length <= QUOTED_CHARS ? text.trim() : `${cutCodePoints(text, QUOTED_CHARS).trim()} ...`;
