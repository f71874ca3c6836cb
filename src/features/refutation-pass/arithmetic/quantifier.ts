import { ANY_NUMBER, type Domain, readDomain } from "./domain.ts";
import type { Functions } from "./expression.ts";
import { type Formula, readFormula } from "./formula.ts";

/** What stands behind `for all`: the variables with the numbers that they run through, and a condition. */
export type Quantifier = {
  readonly domains: ReadonlyMap<string, Domain>;
  readonly condition: Formula | undefined;
};

const NAMES = /^(?:(.*?) )?([a-z](?:(?:, ?(?:and )?| and )[a-z])*)(?: (?:such that|with|where) (.+))?$/i;
const RANGE =
  /^(?:(.*?) )?([a-z]) (?:from|between|in) ?\[?(-?\d{1,15}) ?(?:to|and|\.\.\.?|,|through|-) ?(-?\d{1,15})\]?$/i;
const BOUNDED = /^(?:(.*?) )?([a-z]) ?((?:[<>≤≥=!]=?|(?:greater|less|larger|smaller|at) ).+)$/i;
const CHAIN = /^-?\d.*[<≤].*[<≤]/;

/** Reads `positive integers a and b`, `n > 1`, `0 <= n < 40`, `n from 1 to 10`; undefined for anything else. */
export function readQuantifier(phrase: string, functions: Functions): Quantifier | undefined {
  if (CHAIN.test(phrase)) return named("", [], phrase, functions);
  const [, rangeWords = "", name, low, high] = RANGE.exec(phrase) ?? [];
  if (name !== undefined)
    return named(`${rangeWords} integer`, [name], `${low} <= ${name} <= ${high}`, functions);
  const [, words = "", names, condition] = NAMES.exec(phrase) ?? [];
  if (names !== undefined) return named(words, names.split(/,? and |, ?/), condition, functions);
  const [, boundWords = "", bounded, bound = ""] = BOUNDED.exec(phrase) ?? [];
  if (bounded === undefined) return undefined;
  const relation = /^[a-z]/i.test(bound) ? `${bounded} is ${bound}` : `${bounded} ${bound}`;
  return named(boundWords, [bounded], relation, functions);
}

function named(
  words: string,
  names: readonly string[],
  conditionText: string | undefined,
  functions: Functions,
): Quantifier | undefined {
  const domain = words.trim() === "" ? ANY_NUMBER : readDomain(words.replace(/^(?:two|three) /i, ""));
  const condition = conditionText === undefined ? undefined : readFormula(conditionText, functions);
  if (domain === undefined || (conditionText !== undefined && condition === undefined)) return undefined;
  return { domains: new Map(names.map((name) => [name, domain])), condition };
}
