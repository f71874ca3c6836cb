import { cutCodePoints } from "../../core/catalog/input.ts";
import { defineOffline } from "../../core/models/offline.ts";
import { keywords, sharedKeywords, similarity } from "../../offline/text/keywords.ts";
import { coverage, isNegated, says } from "../../offline/text/rules.ts";
import { splitSentences, summarize } from "../../offline/text/sentences.ts";
import { findValues } from "../../offline/text/values.ts";
import { type Figure, figureOf, type Figures, type Numeral, type Unit } from "./figures.ts";
import { type Finding, findingsOf } from "./findings.ts";
import { LEVERS } from "./levers.ts";
import { optionsOf } from "./options.ts";

type Asked = { readonly context: string; readonly goal?: string; readonly constraints: readonly string[] };
type Option = {
  readonly text: string;
  readonly score: number;
  readonly broken: readonly string[];
  readonly said: string | undefined;
};

const GOOD = new Set(
  "profitable growing grow strong loyal demand popular cheap saves save proven fast repeat waiting high love loves steady free"
    .split(" ")
    .flatMap((word) => keywords(word)),
);
const BAD = new Set(
  "risky risk expensive slow losing loss debt weak late complaint complaints decline shrinking unproven empty dear churn fragile quit delay"
    .split(" ")
    .flatMap((word) => keywords(word)),
);

const QUOTED_CHARS = 200;
const ACTIONS_LIMIT = 6;
const CONFIDENCE = {
  least: 0.1,
  base: 0.35,
  finding: 0.12,
  findings: 3,
  goal: 0.08,
  lead: 0.1,
  broken: 0.15,
  most: 0.85,
} as const;
const LEAD_SCORE = 0.2;

/** Does the arithmetic that the figures allow, and compares the options by goal, what is said of them, and constraints. */
export default defineOffline(({ data }) => {
  const { context, goal, constraints } = data as Asked;
  const findings = findingsOf(figuresOf(context));
  const options = optionsOf(context)
    .map((text) => weigh(text, context, goal ?? "", constraints))
    .sort((a, b) => a.broken.length - b.broken.length || b.score - a.score);
  const aim = goal ?? summarize(context, 1)[0] ?? context;
  return {
    recommendation: recommend(options[0], findings, context, aim),
    reasoning: reason(options, findings, context, goal),
    actions: actions(options[0], findings, constraints, aim),
    confidence: confidence(options, findings, goal),
  };
});

/** The first number of each role: money before percentages before plain numbers. */
function figuresOf(text: string): Figures {
  const figures: Partial<Record<string, Figure>> = {};
  const amounts = findValues(text, "amount");
  const percents = findValues(text, "percent");
  const isPlain = ({ start, end }: Numeral): boolean =>
    ![...amounts, ...percents].some((other) => other.start < end && start < other.end);
  const numerals = (unit: Unit): Numeral[] =>
    findValues(text, unit).flatMap((found) =>
      typeof found.value === "number" ? [{ ...found, value: found.value, text: found.text.trim() }] : [],
    );
  for (const unit of ["amount", "percent", "number"] as const) {
    for (const numeral of numerals(unit)) {
      if (unit === "number" && !isPlain(numeral)) continue;
      const figure = figureOf(text, numeral, unit);
      if (figure !== undefined) figures[figure.role] ??= figure;
    }
  }
  return figures;
}

function weigh(text: string, context: string, goal: string, constraints: readonly string[]): Option {
  const about = splitSentences(context).filter(
    (sentence) => coverage(text, sentence) >= 0.5 && !sentence.includes(text),
  );
  const mood = about.reduce((sum, sentence) => sum + moodOf(sentence), 0);
  return {
    text,
    score:
      2 * similarity(text, goal) +
      leverage(text, goal) +
      mood +
      sharedKeywords(text, goal).length * LEAD_SCORE,
    broken: constraints.filter(
      (constraint) => isNegated(constraint) && sharedKeywords(text, constraint).length > 0,
    ),
    said: about[0],
  };
}

/** How often the option is a known means to the goal. */
const leverage = (option: string, goal: string): number =>
  LEVERS.filter(
    ({ aims, means }) => aims.some((aim) => says(goal, aim)) && means.some((one) => says(option, one)),
  ).length;

/** What the words of a sentence say for (above 0) or against it. */
function moodOf(sentence: string): number {
  const stems = keywords(sentence);
  const sum = stems.filter((word) => GOOD.has(word)).length - stems.filter((word) => BAD.has(word)).length;
  return isNegated(sentence) ? -sum : sum;
}

function recommend(
  best: Option | undefined,
  findings: readonly Finding[],
  context: string,
  aim: string,
): string {
  const gravest = findings.find(({ sign }) => sign < 0);
  if (best !== undefined && best.broken.length === 0) {
    const first = gravest === undefined ? "" : ` First: ${gravest.action}`;
    return `Choose this: ${best.text}.${first}`;
  }
  if (best !== undefined)
    return `Choose none of the options as they stand: each breaks a constraint, such as "${quoted(best.broken[0] ?? "")}".`;
  if (gravest !== undefined) return gravest.action;
  const leading = findings[0];
  if (leading !== undefined) return `Go on with it: ${leading.action}`;
  return `Collect the figures that decide before committing to "${quoted(aim)}": the text gives none that can be reckoned with for "${quoted(summarize(context, 1, aim)[0] ?? context)}".`;
}

function reason(
  options: readonly Option[],
  findings: readonly Finding[],
  context: string,
  goal: string | undefined,
): string {
  const [best, ...others] = options;
  const compared =
    best === undefined
      ? []
      : [
          `Of ${options.length} options, "${quoted(best.text)}" fits ${goal === undefined ? "what is said" : "the goal"} best${best.said === undefined ? "" : ` ("${quoted(best.said)}")`}.`,
          ...others.map(
            ({ text, broken }) =>
              `"${quoted(text)}" ${broken.length > 0 ? `breaks "${quoted(broken[0] ?? "")}"` : "has less for it"}.`,
          ),
        ];
  const central = summarize(context, 1, goal)[0] ?? context;
  const basis = findings.length === 0 ? [`What decides is this: ${quoted(central)}`] : [];
  return [...findings.map(({ says }) => says), ...compared, ...basis].join(" ");
}

function actions(
  best: Option | undefined,
  findings: readonly Finding[],
  constraints: readonly string[],
  aim: string,
): string[] {
  const start =
    best === undefined || best.broken.length > 0
      ? []
      : [`Name one person and a date for the first step of this: ${best.text}.`];
  const kept = constraints.map((constraint) => `Check each step against this: ${quoted(constraint)}`);
  const missing =
    findings.length === 0
      ? ["Write down price, cost of each sale, fixed costs and volume for the last three months."]
      : [];
  const measure = `Agree on the one figure that shows whether this is reached, and look at it weekly: ${quoted(aim)}`;
  return [
    ...new Set([...findings.map(({ action }) => action), ...start, ...missing, ...kept, measure]),
  ].slice(0, ACTIONS_LIMIT);
}

function confidence(
  [best, second]: readonly Option[],
  findings: readonly Finding[],
  goal: string | undefined,
): number {
  const { least, base, finding, findings: counted, goal: stated, lead, broken, most } = CONFIDENCE;
  const isAhead = best !== undefined && second !== undefined && best.score - second.score > LEAD_SCORE;
  const sum =
    base +
    finding * Math.min(counted, findings.length) +
    (goal === undefined ? 0 : stated) +
    (isAhead ? lead : 0) -
    (best !== undefined && best.broken.length > 0 ? broken : 0);
  return Math.round(Math.min(most, Math.max(least, sum)) * 100) / 100;
}

const quoted = (text: string): string =>
  cutCodePoints(text, QUOTED_CHARS)
    .trim()
    .replace(/[\s.]{1,20}$/, "");
