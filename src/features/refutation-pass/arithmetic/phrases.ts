import type { NumberClaim } from "./claim.ts";
import { type Domain, readDomain } from "./domain.ts";
import { readFormula } from "./formula.ts";

const OPERATION = /^the (sum|product|difference) of (?:any )?(two|three) (.+?) is (.+)$/i;
const UNARY =
  /^the (square|cube|double|square root|absolute value|factorial) of (?:any|an?|every|each) (.+?) is (.+)$/i;
const EVERY = /^(?:all|every|each|any) (.+?) (?:are|is) (.+)$/i;
const NONE = /^no (.+?) (?:are|is) (.+)$/i;

const JOINED: Readonly<Record<string, string>> = { sum: " + ", product: " * ", difference: " - " };
const APPLIED: Readonly<Record<string, string>> = {
  square: "n^2",
  cube: "n^3",
  double: "2*n",
  "square root": "sqrt(n)",
  "absolute value": "abs(n)",
  factorial: "n!",
};

/** Reads claims without letters, such as `the sum of two odd numbers is odd` or `every prime is odd`. */
export function readPhrase(text: string): NumberClaim | undefined {
  const [, operation = "", count, operands = "", result = ""] = OPERATION.exec(text) ?? [];
  if (count !== undefined) {
    const names = count.toLowerCase() === "two" ? ["a", "b"] : ["a", "b", "c"];
    return about(names, operands, `${names.join(JOINED[operation.toLowerCase()])} is ${result}`);
  }
  const [, applied = "", operand, value = ""] = UNARY.exec(text) ?? [];
  if (operand !== undefined) return about(["n"], operand, `${APPLIED[applied.toLowerCase()]} is ${value}`);
  const [, every, property = ""] = EVERY.exec(text) ?? [];
  if (every !== undefined) return about(["n"], every, `n is ${property}`);
  const [, none, excluded = ""] = NONE.exec(text) ?? [];
  return none === undefined ? undefined : about(["n"], none, `n is not ${excluded}`);
}

function about(names: readonly string[], words: string, body: string): NumberClaim | undefined {
  const domain: Domain | undefined = readDomain(words);
  const formula = readFormula(body.replace(" is the same as ", " = "), new Map());
  if (domain === undefined || formula === undefined) return undefined;
  const variables = names.map((name) => ({ ...domain, name, isStated: true }));
  return { kind: "all", variables, condition: undefined, formula };
}
