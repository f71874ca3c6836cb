import { keyPhrases } from "../../offline/text/key-phrases.ts";
import { rankByRelevance } from "../../offline/text/keywords.ts";
import { says } from "../../offline/text/rules.ts";
import type { Choice } from "./offline-tools.ts";

const QUERY_PHRASES = 4;
const MEMORIES_FOR_A_STEP = 2;
/** More are not looked at one by one, and go to the first step. */
const FACTS = 200;

const URLS = /\bhttps?:\/\/[^\s"'<>)\]]+/g;
const MAIL_ADDRESSES = /[^\s@<>,;"']{1,64}@[a-z0-9.-]{1,255}\.[a-z]{2,24}\b/gi;
const QUOTED = /["“]([^"“”]{1,200})["”]/g;

/** What a step's tool is called with: what the clause names, and what the context and the memories say to it. */
export function inputOf({
  choice,
  before,
  facts,
  memories,
  background,
}: {
  readonly choice: Choice;
  readonly before: readonly number[];
  readonly facts: readonly Fact[];
  readonly memories: readonly string[];
  readonly background: readonly string[];
}): Record<string, unknown> {
  const { clause, stage } = choice;
  const lists: [string, readonly unknown[]][] = [
    ["urls", clause.match(URLS) ?? []],
    ["to", clause.match(MAIL_ADDRESSES) ?? []],
    ["quoted", [...clause.matchAll(QUOTED)].map(([, text]) => text)],
    ["from", before.map((step) => `{{step ${step}}}`)],
    ["remembered", rememberedFor(clause, memories)],
    ["background", background],
  ];
  return {
    ...(stage === "gather" ? { query: queryOf(clause) } : { instruction: clause }),
    ...Object.fromEntries(lists.filter(([, values]) => values.length > 0)),
    ...(facts.length === 0 ? {} : { context: Object.fromEntries(facts) }),
  };
}

/** A name and a value of the context. */
export type Fact = readonly [name: string, value: unknown];

/** The facts that each clause is about, by their names or values; those that no clause is about go to the first. */
export function factsFor(clauses: readonly string[], context: Readonly<Record<string, unknown>>): Fact[][] {
  const all = Object.entries(context);
  const facts = all.slice(0, FACTS);
  const homeless = all.filter(
    ([name, value], index) => index >= FACTS || !clauses.some((clause) => concerns(clause, name, value)),
  );
  return clauses.map((clause, index) => [
    ...facts.filter(([name, value]) => concerns(clause, name, value)),
    ...(index === 0 ? homeless : []),
  ]);
}

function concerns(clause: string, name: string, value: unknown): boolean {
  const spelled = name.replaceAll("_", " ").replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, "$1 ");
  return says(clause, spelled) || (typeof value === "string" && value.length > 1 && clause.includes(value));
}

function queryOf(clause: string): string {
  const phrases = keyPhrases(clause, QUERY_PHRASES).map(({ phrase }) => phrase);
  return phrases.length === 0 ? clause : phrases.join(" ");
}

const rememberedFor = (clause: string, memories: readonly string[]): string[] =>
  rankByRelevance(clause, memories)
    .filter(({ score }) => score > 0)
    .slice(0, MEMORIES_FOR_A_STEP)
    .map(({ text }) => text);
