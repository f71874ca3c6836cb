import { words } from "../../offline/text/keywords.ts";
import { splitSentences } from "../../offline/text/sentences.ts";
import { stem } from "../../offline/text/stem.ts";
import { KINDS_OF_WORK } from "./kinds-of-work.ts";

/** A plan of more steps than this is no plan. */
const CLAUSES = 20;
/** Where one thing to do may end and the next begin. */
const JOINT = /;|,? (?:and|then|and then|before|after that|finally) |, | -> /i;
const LEAD =
  /^(?:please|then|and|finally|also|next|first|lastly|i want to|we need to|help me|can you|could you)\b,? ?/i;

const ACTION_STEMS = new Set(KINDS_OF_WORK.flatMap((kind) => kind.words.map(stem)));

/** What a task asks for, part by part in order, and its sentences that only tell something. */
export function clausesOf(task: string): { clauses: string[]; background: string[] } {
  const clauses: string[] = [];
  const background: string[] = [];
  for (const sentence of splitSentences(task)) {
    const parts = partsOf(sentence);
    if (parts.some(asksForSomething)) clauses.push(...parts);
    else background.push(sentence);
  }
  return clauses.length === 0
    ? { clauses: background.slice(0, CLAUSES), background: [] }
    : { clauses: clauses.slice(0, CLAUSES), background };
}

/** A sentence is divided only where the next part begins with something to do. */
function partsOf(sentence: string): string[] {
  const parts: string[] = [];
  for (const piece of sentence
    .replace(/\s+/g, " ")
    .replace(/[.!?]$/, "")
    .split(JOINT)) {
    const bare = piece.trim().replace(LEAD, "").replace(LEAD, "");
    if (bare === "") continue;
    if (parts.length === 0 || beginsWithAction(bare)) parts.push(bare);
    else parts[parts.length - 1] += `, ${bare}`;
  }
  return parts;
}

const beginsWithAction = (part: string): boolean => ACTION_STEMS.has(stem(words(part)[0] ?? ""));
const asksForSomething = (part: string): boolean => words(part).some((word) => ACTION_STEMS.has(stem(word)));
