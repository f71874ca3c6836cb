import { ANY_NUMBER, type Domain } from "./domain.ts";
import type { Functions, Values } from "./expression.ts";
import { allHold, type Formula, readFormula } from "./formula.ts";
import { readPhrase } from "./phrases.ts";
import { readQuantifier } from "./quantifier.ts";

export type Variable = Domain & {
  readonly name: string;
  /** Whether the claim itself says which numbers it means. */
  readonly isStated: boolean;
};

/** An arithmetical claim: of all values of its variables, or that there are some. */
export type NumberClaim = {
  readonly kind: "all" | "some";
  readonly variables: readonly Variable[];
  /** Only values for which this holds count. */
  readonly condition: Formula | undefined;
  readonly formula: Formula;
};

/** Longer ones are prose. */
const CLAIM_CHARS = 400;
const ARGUMENTS = ["x", "y", "z"];
const PREFIX = /^(?:claim|invariant|assertion|theorem|it is claimed that|it holds that|we claim that) ?:? ?/i;
const FOR_ALL_FIRST = /^for (?:all|every|each|any) (?:possible )?(.+)$/i;
const FOR_ALL_LAST = /^(.+?),? for (?:all|every|each|any) (.+)$/i;
const NO_VALUE = /^(?:there (?:is|are|exists?) no|no) (.+?) (?:such that|for which|satisfies|with) (.+)$/i;
const SOME_VALUE =
  /^there (?:is|are|exists?) (?:an?|some|at least one) (.+?) (?:such that|for which|with|where) (.+)$/i;
const IF_FIRST = /^(?:if|when|whenever) (.+?)(?:,? then |, )(.+)$/i;
const IMPLIES = /^(.+?) (?:implies(?: that)?|=>|⇒) (.+)$/i;
const IF_LAST = /^(.+?) (?:if|whenever|when|provided that) (.+)$/i;

/** Reads a claim about numbers; undefined for any other. */
export function readClaim(claim: string, functions: Functions): NumberClaim | undefined {
  if (claim.length > CLAIM_CHARS) return undefined;
  const plain = claim.replace(/\s+/g, " ").trim().replace(/[.!]$/, "").replace(PREFIX, "");
  const text = withArguments(plain, functions);
  return (
    readSome(text, functions) ?? readNone(text, functions) ?? readAll(text, functions) ?? readPhrase(text)
  );
}

/** `double is even` says it of `double(x)`; parameters keep their names where a formula can have them. */
function withArguments(text: string, functions: Functions): string {
  let result = text;
  for (const [name, { parameters }] of functions) {
    const letters = parameters.every((parameter) => parameter.length === 1) ? parameters : ARGUMENTS;
    const call = `${name}(${letters.slice(0, parameters.length).join(", ")})`;
    if (name.length > 1) result = result.replace(new RegExp(`\\b${name}\\b(?! ?\\()`), call);
  }
  return result;
}

function readSome(text: string, functions: Functions): NumberClaim | undefined {
  const [, quantified = "", body = ""] = SOME_VALUE.exec(text) ?? [];
  return quantify(quantified, body, functions, "some");
}

function readNone(text: string, functions: Functions): NumberClaim | undefined {
  const [, quantified = "", body = ""] = NO_VALUE.exec(text) ?? [];
  const claim = quantify(quantified, body, functions, "all");
  return claim && { ...claim, formula: negated(claim.formula) };
}

const negated = ({ of, ...rest }: Formula): Formula => ({
  ...rest,
  of: (values) => {
    const { holds, detail } = of(values);
    return { holds: holds === undefined ? undefined : !holds, detail };
  },
});

function readAll(text: string, functions: Functions): NumberClaim | undefined {
  const first = FOR_ALL_FIRST.exec(text)?.[1];
  if (first !== undefined) {
    // Commas stand in lists of variables as well as behind them.
    for (let at = first.search(/[,:]/); at !== -1; at = nextComma(first, at)) {
      const claim = quantify(first.slice(0, at), first.slice(at + 1), functions, "all");
      if (claim !== undefined) return claim;
    }
    return undefined;
  }
  const [, body, last] = FOR_ALL_LAST.exec(text) ?? [];
  if (body !== undefined && last !== undefined) return quantify(last, body, functions, "all");
  return build({ domains: new Map(), condition: undefined }, text, functions, "all");
}

function nextComma(text: string, at: number): number {
  const next = text.slice(at + 1).search(/[,:]/);
  return next === -1 ? -1 : at + 1 + next;
}

type Quantified = { readonly domains: ReadonlyMap<string, Domain>; readonly condition: Formula | undefined };

function quantify(
  phrase: string,
  body: string,
  functions: Functions,
  kind: NumberClaim["kind"],
): NumberClaim | undefined {
  const quantified = phrase.trim() === "" ? undefined : readQuantifier(phrase.trim(), functions);
  return quantified && build(quantified, body.trim(), functions, kind);
}

function build(
  { domains, condition }: Quantified,
  body: string,
  functions: Functions,
  kind: NumberClaim["kind"],
): NumberClaim | undefined {
  const [premise, conclusion] = conditional(body);
  const formula = readFormula(conclusion, functions);
  const given = premise === undefined ? undefined : readPremise(premise, functions);
  if (formula === undefined || (premise !== undefined && given === undefined)) return undefined;
  const ofWhole = formula.ofWhole || given?.ofWhole === true || condition?.ofWhole === true;
  const conditions = [condition, given].filter((part) => part !== undefined);
  const names = new Set([
    ...domains.keys(),
    ...[formula, ...conditions].flatMap(({ variables }) => variables),
  ]);
  return {
    kind,
    variables: [...names].map((name) => {
      const { admits, whole } = domains.get(name) ?? ANY_NUMBER;
      return { name, admits, whole: whole ?? (ofWhole ? true : undefined), isStated: whole !== undefined };
    }),
    condition: conditions.length === 0 ? undefined : all(conditions),
    formula,
  };
}

function conditional(body: string): [premise: string | undefined, conclusion: string] {
  for (const pattern of [IF_FIRST, IMPLIES]) {
    const [, premise, conclusion] = pattern.exec(body) ?? [];
    if (conclusion !== undefined) return [premise, conclusion.replace(/^so is (\w)$/i, "$1")];
  }
  const [, conclusion, premise] = IF_LAST.exec(body) ?? [];
  return conclusion === undefined ? [undefined, body] : [premise, conclusion];
}

/** `a and b are odd` says it of both. */
function readPremise(premise: string, functions: Functions): Formula | undefined {
  const [, names, words] = /^((?:[a-z], ?)*[a-z],? and [a-z]) are (?:both |all )?(.+)$/i.exec(premise) ?? [];
  if (names === undefined) return readFormula(premise, functions);
  const each = names.split(/,? and |, ?/).map((name) => `${name} is ${words}`);
  return readFormula(each.join(" and "), functions);
}

const all = (formulas: readonly Formula[]): Formula => ({
  variables: formulas.flatMap(({ variables }) => variables),
  ofWhole: formulas.some(({ ofWhole }) => ofWhole),
  of: (values) => {
    return { holds: allHold(formulas.map((formula) => formula.of(values).holds)), detail: "" };
  },
});

/** What a claim says of these values: `outside` where it says nothing of them, `unknown` where it cannot be told. */
export function judge(
  { variables, condition, formula }: NumberClaim,
  values: Values,
): { readonly verdict: "holds" | "fails" | "outside" | "unknown"; readonly detail: string } {
  const isInside =
    variables.every(({ name, admits }) => admits(values.get(name) ?? Number.NaN)) &&
    (condition === undefined || condition.of(values).holds === true);
  if (!isInside) return { verdict: "outside", detail: "" };
  const { holds, detail } = formula.of(values);
  return { verdict: holds === undefined ? "unknown" : holds ? "holds" : "fails", detail };
}
