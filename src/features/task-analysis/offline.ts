import { cutCodePoints } from "../../core/catalog/input.ts";
import { defineOffline } from "../../core/models/offline.ts";
import { keywords } from "../../offline/text/keywords.ts";
import { applyRules, type Fired, says } from "../../offline/text/rules.ts";
import { listItems, splitSentences, summarize } from "../../offline/text/sentences.ts";
import type { VERDICTS } from "./index.ts";
import type { Risk } from "./risk.ts";
import { HARMS } from "./risks/harm.ts";
import { WORK_RISKS } from "./risks/work.ts";
import { isAction, VERB, withoutLead } from "./verbs.ts";

const OWN_STEPS_LIMIT = 10;
const QUOTED_CHARS = 120;
const FORBIDS = 3;
const CAUTIONS = 2;
/** With fewer words that mean something, a task cannot be judged. */
const TELLING_WORDS = 3;

const RULES = [...HARMS, ...WORK_RISKS].map((gives) => ({
  any: gives.any,
  ...(gives.none === undefined ? {} : { none: gives.none }),
  gives,
}));

type Weighed = { readonly risk: Risk; readonly weight: number; readonly sentence: string };

/** Takes the task's own clauses as steps, and finds its risks in a table; the safeguards of those are steps as well. */
export default defineOffline(({ data }) => {
  const task = inWords((data as { readonly task: string }).task);
  const weighed = applyRules(task, RULES)
    .map((fired) => weigh(fired, task))
    .sort((a, b) => b.weight - a.weight);
  const risks = [...weighed.map(({ sentence }) => sentence), ...tooLittle(task)];
  const verdict = judge(weighed, risks.length > weighed.length);
  const steps = stepsOf(task, weighed);
  return { summary: summaryOf(task, steps, risks, verdict), steps, risks, verdict };
});

/** A task that was given as JSON: its texts, as a list. */
function inWords(task: string): string {
  if (!/^[[{]/.test(task)) return task;
  try {
    const texts = textsOf(JSON.parse(task));
    return texts.length === 0 ? task : texts.map((text) => `- ${text}`).join("\n");
  } catch {
    // Words that only begin like JSON.
    return task;
  }
}

const textsOf = (value: unknown): string[] => {
  if (typeof value === "string") return value.trim() === "" ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
};

function weigh({ gives: risk, evidence, terms }: Fired<Risk>, task: string): Weighed {
  const eased = risk.eased?.find((term) => says(task, term));
  const clauses = (evidence[0] ?? task).split(CLAUSE_END);
  const clause = clauses.find((one) => terms.some((term) => says(one, term))) ?? task;
  const isWhole = shortened(clause) === shortened(task);
  const words = terms.filter((term) => says(clause, term)).join(", ");
  const sentence =
    isWhole && words !== "" ? `${risk.says} (${words}).` : `${risk.says}: "${shortened(clause)}".`;
  return eased === undefined
    ? { risk, weight: risk.weight, sentence }
    : { risk, weight: risk.weight - 1, sentence: `${sentence} The task mentions what eases it: ${eased}.` };
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
  const own = inOrder(ownSteps(task)).slice(0, OWN_STEPS_LIMIT).map(asSentence);
  const guards = (when: "first" | "last"): string[] =>
    weighed.flatMap(({ risk: { safeguard }, weight, risk }) =>
      safeguard?.when === when && weight === risk.weight ? [safeguard.step] : [],
    );
  const closing = `See that the last of it holds: ${shortened(own.at(-1) ?? task)}`;
  return [...new Set([...guards("first"), ...own, ...guards("last"), asSentence(closing)])];
}

/** What is to be done `first` comes first, what `finally` last. */
const inOrder = (steps: readonly string[]): string[] => [...steps].sort((a, b) => place(a) - place(b));

function place(step: string): number {
  if (/\bfirst\b/i.test(step)) return 0;
  return /\b(?:finally|at the end)\b/i.test(step) ? 2 : 1;
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
  [gravest]: readonly string[],
  verdict: string,
): string {
  const about = shortened(summarize(task, 1)[0] ?? task);
  const reason = gravest ?? "Nothing in it speaks against starting.";
  return `${about}. That is ${steps.length} steps; the verdict is ${verdict}. ${reason}`;
}

function asSentence(clause: string): string {
  const bare = withoutLead(clause).replace(/[\s.,;:!]{1,20}$/, "");
  return `${bare.slice(0, 1).toUpperCase()}${bare.slice(1)}.`;
}

/** The beginning of a text, without the punctuation at its end. */
const shortened = (text: string): string =>
  `${cutCodePoints(text, QUOTED_CHARS)
    .trim()
    .replace(/[\s.,;:]{1,20}$/, "")}${text.length > QUOTED_CHARS ? " ..." : ""}`;
