import {
  add,
  divide,
  formatDecimal,
  type Fraction,
  isShortDecimal,
  multiply,
  negate,
  parseDecimal,
  power,
} from "./fraction.ts";
import { type Token, tokenRuns } from "./arithmetic-tokens.ts";

/** A piece of arithmetic in a text, and what it comes to. */
export type Calculation = {
  /** As the text spells it. */
  readonly expression: string;
  /** In decimal digits. */
  readonly result: string;
  /** False where the result was rounded to ten decimals. */
  readonly exact: boolean;
};

/** What is parsed from a run of tokens, up to `next`. It has no value where it divides by zero or grows too large. */
type Parsed = { readonly value: Fraction | undefined; readonly next: number; readonly percent: boolean };

/** No honest expression is nested deeper. */
const DEPTH_LIMIT = 40;
const HUNDRED = { top: 100n, bottom: 1n };

/**
 * Finds arithmetic in a text and works it out exactly: + - * / ^, parentheses, percent (`15% of 80`, and `80 + 15%` as
 * a pocket calculator takes it), signs and words such as `plus` or `divided by`. Dates, telephone numbers, ranges and
 * divisions by zero are passed over. In the order of the text.
 */
export function findArithmetic(text: string): Calculation[] {
  return tokenRuns(text).flatMap((run) => {
    const found: Calculation[] = [];
    for (let start = 0; start < run.length;) {
      const parsed = parseSum(run, start, 0);
      const taken = run.slice(start, parsed?.next ?? start + 1);
      if (parsed?.value !== undefined && isWorthSaying(taken)) {
        found.push(calculation(text.slice(taken[0]?.start, taken.at(-1)?.end), parsed.value));
      }
      start += Math.max(1, taken.length);
    }
    return found;
  });
}

/** The value of a text that is one expression and nothing else, in decimal digits; undefined for any other text. */
export function evaluate(expression: string): string | undefined {
  const [run = [], more] = tokenRuns(expression, { tight: true });
  const parsed = more === undefined ? parseSum(run, 0, 0) : undefined;
  const isAll = run[0]?.start === 0 && run.at(-1)?.end === expression.length && parsed?.next === run.length;
  return parsed?.value !== undefined && isAll ? formatDecimal(parsed.value) : undefined;
}

const calculation = (expression: string, value: Fraction): Calculation => ({
  expression: expression.trim(),
  result: formatDecimal(value),
  exact: isShortDecimal(value),
});

/** A number alone, or one in parentheses or with a sign, is no calculation. */
const isWorthSaying = (tokens: readonly Token[]): boolean =>
  tokens.filter(({ kind }) => kind === "number").length > 1 || tokens.some(({ kind }) => kind === "^");

function parseSum(tokens: readonly Token[], start: number, depth: number): Parsed | undefined {
  let left = parseProduct(tokens, start, depth);
  while (left !== undefined) {
    const kind = tokens[left.next]?.kind;
    if (kind !== "+" && kind !== "-") return left;
    const right = parseProduct(tokens, left.next + 1, depth);
    if (right === undefined) return left;
    const amount = right.percent ? combine(left.value, right.value, multiply) : right.value;
    const signed = kind === "-" ? amount && negate(amount) : amount;
    left = { value: combine(left.value, signed, add), next: right.next, percent: false };
  }
  return undefined;
}

function parseProduct(tokens: readonly Token[], start: number, depth: number): Parsed | undefined {
  let left = parseSigned(tokens, start, depth);
  while (left !== undefined) {
    const kind = tokens[left.next]?.kind;
    if (kind !== "*" && kind !== "/" && !(kind === "of" && left.percent)) return left;
    const right = parseSigned(tokens, left.next + 1, depth);
    if (right === undefined) return left;
    const value = combine(left.value, right.value, kind === "/" ? divide : multiply);
    left = { value, next: right.next, percent: false };
  }
  return undefined;
}

function parseSigned(tokens: readonly Token[], start: number, depth: number): Parsed | undefined {
  if (depth > DEPTH_LIMIT) return undefined;
  const kind = tokens[start]?.kind;
  if (kind !== "-" && kind !== "+") return parsePower(tokens, start, depth);
  const parsed = parseSigned(tokens, start + 1, depth + 1);
  return parsed && kind === "-" ? { ...parsed, value: parsed.value && negate(parsed.value) } : parsed;
}

/** Binds to the right, and tighter than a sign before it: -2^2 is -4. */
function parsePower(tokens: readonly Token[], start: number, depth: number): Parsed | undefined {
  const base = parseAtom(tokens, start, depth);
  if (base === undefined || tokens[base.next]?.kind !== "^") return base;
  const exponent = parseSigned(tokens, base.next + 1, depth + 1);
  if (exponent === undefined) return base;
  return { value: combine(base.value, exponent.value, power), next: exponent.next, percent: false };
}

function parseAtom(tokens: readonly Token[], start: number, depth: number): Parsed | undefined {
  const token = tokens[start];
  if (token?.kind === "(") {
    const inner = parseSum(tokens, start + 1, depth + 1);
    const isClosed = inner !== undefined && tokens[inner.next]?.kind === ")";
    return isClosed ? { value: inner.value, next: inner.next + 1, percent: false } : undefined;
  }
  if (token?.kind !== "number") return undefined;
  const value = parseDecimal(token.text);
  if (tokens[start + 1]?.kind !== "%") return { value, next: start + 1, percent: false };
  return { value: combine(value, HUNDRED, divide), next: start + 2, percent: true };
}

const combine = (
  left: Fraction | undefined,
  right: Fraction | undefined,
  operation: (left: Fraction, right: Fraction) => Fraction | undefined,
): Fraction | undefined => left && right && operation(left, right);
