import { cutCodePoints } from "../../core/catalog/input.ts";
import { keywords, words } from "../../offline/text/keywords.ts";
import { stem } from "../../offline/text/stem.ts";
import { GENERAL_TOOL_WORDS, type KindOfWork, KINDS_OF_WORK, type Stage } from "./kinds-of-work.ts";

/** A part of a task with the tool for it. */
export type Choice = {
  readonly clause: string;
  readonly action: string;
  readonly tool: string;
  readonly stage: Stage;
  readonly minutes: number;
  /** Whether the tool's name has anything in common with the part; else it is a guess. */
  readonly fits: boolean;
};

const SHARED_WORD = 3;
const SHARED_KIND = 2;
/** What a part begins with is what it asks for. */
const LEADING_KIND = 3;
const UNKNOWN_MINUTES = 5;
const ACTION_CHARS = 300;
/** A task that names a subject, and not the material on it, needs the material first. */
const NAMES_A_SUBJECT =
  /\b(?:about|on|latest|recent|current|compar\w+|trends?|news|market|competitors?|prices?)\b/i;

const SUBJECT = /\b(?:about|on|of) (.+)$/i;

const KINDS = KINDS_OF_WORK.map((kind) => ({ kind, stems: new Set(kind.words.map(stem)) }));
const GENERAL = new Set(GENERAL_TOOL_WORDS);

/** Chooses a tool for each clause; where the first step needs material and a tool can gather it, a step for that. */
export function chooseTools(clauses: readonly string[], tools: readonly string[]): Choice[] {
  const known = tools.map((tool) => ({ tool, ...readTool(tool) }));
  const choices = clauses.map((clause, index) => chooseTool(clause, index, known));
  const gatherer = known.find(({ kinds }) => kinds.some(({ stage }) => stage === "gather"));
  const first = choices[0];
  const needsMaterial =
    first !== undefined &&
    (first.stage === "work" || first.stage === "make") &&
    NAMES_A_SUBJECT.test(first.clause);
  if (!needsMaterial || gatherer === undefined || choices.some(({ tool }) => tool === gatherer.tool))
    return choices;
  const clause = SUBJECT.exec(first.clause)?.[1] ?? first.clause;
  const action = `Gather material on ${cutCodePoints(clause, ACTION_CHARS)}.`;
  const minutes = gatherer.kinds[0]?.minutes ?? UNKNOWN_MINUTES;
  return [{ clause, action, tool: gatherer.tool, stage: "gather", minutes, fits: true }, ...choices];
}

type Known = { tool: string; stems: Set<string>; kinds: KindOfWork[]; general: boolean };

/** A tool's words, taken apart at capitals, and the kinds of work that they stand for. */
function readTool(tool: string): Omit<Known, "tool"> {
  const toolWords = words(tool.replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, "$1 ").replaceAll("_", " "));
  const stems = new Set(toolWords.map(stem));
  return { stems, kinds: kindsOf(toolWords), general: toolWords.some((word) => GENERAL.has(word)) };
}

function kindsOf(texts: readonly string[]): KindOfWork[] {
  const stems = texts.map(stem);
  return KINDS.filter((entry) => stems.some((word) => entry.stems.has(word))).map(({ kind }) => kind);
}

function chooseTool(clause: string, index: number, tools: readonly Known[]): Choice {
  const clauseWords = words(clause);
  const stems = new Set(keywords(clause));
  const kinds = kindsOf(clauseWords);
  const leading = kindsOf(clauseWords.slice(0, 1));
  const score = (tool: Known): number =>
    SHARED_WORD * [...tool.stems].filter((word) => stems.has(word)).length +
    SHARED_KIND * tool.kinds.filter((kind) => kinds.includes(kind)).length +
    LEADING_KIND * tool.kinds.filter((kind) => leading.includes(kind)).length;
  const scored = tools.map((tool) => ({ tool, score: score(tool) })).sort((a, b) => b.score - a.score);
  const best = scored[0];
  const fits = best !== undefined && best.score > 0;
  // Callers mostly name their tools in the order in which they use them.
  const tool = fits
    ? best.tool
    : (tools.find(({ general }) => general) ?? tools[Math.min(index, tools.length - 1)]);
  if (tool === undefined) throw new Error("There is no tool to choose.");
  const shared = tool.kinds.filter((kind) => leading.includes(kind));
  const [ruling] = [...shared, ...leading, ...kinds, ...tool.kinds];
  return {
    clause,
    action: sentence(clause),
    tool: tool.tool,
    stage: ruling?.stage ?? "work",
    minutes: ruling?.minutes ?? UNKNOWN_MINUTES,
    fits: fits || tool.general,
  };
}

function sentence(clause: string): string {
  const [first = "", ...rest] = cutCodePoints(clause, ACTION_CHARS);
  return `${first.toUpperCase()}${rest.join("")}.`;
}
