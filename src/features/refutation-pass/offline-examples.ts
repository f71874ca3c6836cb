import { readPredicate } from "./arithmetic/predicates.ts";
import type { Probe } from "./offline-probe.ts";

const ITEMS = 1_000;
const SURE = 0.95;
/** Every example that is listed holds; others may not. */
const ALL_LISTED = 0.6;

const LIST =
  /\[([^[\]]{1,5000})\]|: ([^:.]{1,5000}?)(?= (?:are|is|start|end|contain)\b|\.|$)|\b(-?\d{1,15}(?:\.\d{1,10})?(?:, ?(?:and )?| and )[-\d., and]{1,2000}\d)/i;
const PROPERTY =
  /\b(?:are|is) (?:all |both |each |always )?(not |never )?((?:an? )?[a-z-]+(?: [a-z-]+){0,3}(?: \d{1,9})?)/i;
const UNIVERSAL = /\b(?:all|every|each|any|both|always|consists? of|are)\b/i;

type Property = { readonly says: string; readonly holds: (item: string) => boolean | undefined };

const TEXT_PROPERTIES: readonly (readonly [RegExp, (item: string, wanted: string) => boolean])[] = [
  [
    /\b(?:start|begin)s? with (?:the letter )?["'“]?([^\s"'”.,]+)/i,
    (item, wanted) => fold(item).startsWith(fold(wanted)),
  ],
  [/\bends? (?:with|in) ["'“]?([^\s"'”.,]+)/i, (item, wanted) => fold(item).endsWith(fold(wanted))],
  [
    /\bcontains? (?:the (?:letter|word) )?["'“]?([^\s"'”.,]+)/i,
    (item, wanted) => fold(item).includes(fold(wanted)),
  ],
  [/\b(?:are|is)(?: all)? (lower ?case)/i, (item) => item === item.toLowerCase()],
  [/\b(?:are|is)(?: all)? (upper ?case|in capitals)/i, (item) => item === item.toUpperCase()],
  [/\bshorter than (\d{1,4}) (?:characters|letters)/i, (item, wanted) => lengthOf(item) < Number(wanted)],
  [/\blonger than (\d{1,4}) (?:characters|letters)/i, (item, wanted) => lengthOf(item) > Number(wanted)],
];

const lengthOf = (text: string): number => Array.from(text).length;
const fold = (text: string): string => text.toLowerCase();

/** Tries a claim about all of some listed things on each of them. */
export function probeExamples(claim: string): Probe | undefined {
  const items = itemsOf(claim);
  const property = items.length > 1 && UNIVERSAL.test(claim) ? propertyOf(claim) : undefined;
  if (property === undefined) return undefined;
  const failing = items.find((item) => property.holds(item) === false);
  const looked = `Looked at each of the ${items.length} listed examples (${property.says})`;
  if (failing !== undefined) {
    return {
      attempts: [`${looked}: ${failing} fails.`],
      counterexample: `${failing} is listed and is not as claimed (${property.says}).`,
      confidence: SURE,
    };
  }
  return items.every((item) => property.holds(item) === true)
    ? { attempts: [`${looked}: all of them hold.`], confidence: ALL_LISTED }
    : undefined;
}

function itemsOf(claim: string): string[] {
  const match = LIST.exec(claim);
  const list = match?.[1] ?? match?.[2] ?? match?.[3] ?? "";
  return list
    .split(/, ?(?:and )?| and /)
    .map((item) => item.trim().replace(/^["'“]|["'”]$/g, ""))
    .filter(Boolean)
    .slice(0, ITEMS);
}

function propertyOf(claim: string): Property | undefined {
  for (const [pattern, holds] of TEXT_PROPERTIES) {
    const [says, wanted] = pattern.exec(claim) ?? [];
    if (says !== undefined && wanted !== undefined) return { says, holds: (item) => holds(item, wanted) };
  }
  const [, not, words = ""] = PROPERTY.exec(claim) ?? [];
  const predicate = longestPredicate(words);
  if (predicate === undefined) return undefined;
  return {
    says: `${not ?? ""}${words}`,
    holds: (item) => {
      const value = item === "" ? Number.NaN : Number(item);
      const told = Number.isNaN(value) ? undefined : predicate.holds(value);
      return told === undefined ? undefined : told === (not === undefined);
    },
  };
}

/** `even numbers` of `even numbers here`. */
function longestPredicate(words: string) {
  const all = words.split(" ");
  for (let length = all.length; length > 0; length--) {
    const predicate = readPredicate(all.slice(0, length).join(" "));
    if (predicate !== undefined) return predicate;
  }
  return undefined;
}
