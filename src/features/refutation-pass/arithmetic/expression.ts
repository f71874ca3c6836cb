import { BUILT_IN, type NumberFunction } from "./built-in.ts";
import { type Token, tokensOf } from "./tokens.ts";

export type Values = ReadonlyMap<string, number>;

/** Calculates an expression; NaN where it has no value, or none that a double holds exactly. */
export type Calculate = (values: Values) => number;

/** An expression with the names of its variables, in the order of their appearance. */
export type Expression = {
  readonly text: string;
  readonly variables: readonly string[];
  readonly value: Calculate;
};

/** Functions of the caller's by their names, with the names of their parameters. */
export type Functions = ReadonlyMap<string, NumberFunction & { readonly parameters: readonly string[] }>;

const DEPTH = 40;
const NO_FUNCTIONS: Functions = new Map();

/**
 * Reads an arithmetical expression: + - * / % ^ ** ! |x|, parentheses, `2n` for `2*n`, functions, one-letter
 * variables or those of `names`. Undefined for anything else; nothing is ever evaluated as code.
 */
export function readExpression(
  text: string,
  functions: Functions = NO_FUNCTIONS,
  names: readonly string[] = [],
): Expression | undefined {
  const tokens = tokensOf(text);
  if (tokens === undefined) return undefined;
  const parser = new Parser(tokens, functions, new Set(names));
  const value = parser.whole();
  return value === undefined ? undefined : { text: text.trim(), variables: [...parser.variables], value };
}

/** Exact for whole numbers: what a double cannot hold has no value here. */
const exact = (value: number): number =>
  Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : Number.NaN;

const OPERATIONS: Readonly<Record<string, (left: number, right: number) => number>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
  // Languages and mathematicians differ on the remainder of a negative number.
  "%": (left, right) => (left < 0 || right < 0 ? Number.NaN : left % right),
  "^": (left, right) => left ** right,
};

const combined =
  (sign: string, left: Calculate, right: Calculate): Calculate =>
  (values) =>
    exact(OPERATIONS[sign]?.(left(values), right(values)) ?? Number.NaN);

/** Recursive descent; a method gives undefined where its part of the grammar does not stand. */
class Parser {
  readonly variables = new Set<string>();
  readonly #tokens: readonly Token[];
  readonly #functions: Functions;
  readonly #names: ReadonlySet<string>;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], functions: Functions, names: ReadonlySet<string>) {
    this.#tokens = tokens;
    this.#functions = functions;
    this.#names = names;
  }

  whole(): Calculate | undefined {
    const value = this.#sum();
    return this.#at === this.#tokens.length ? value : undefined;
  }

  #sum(): Calculate | undefined {
    if (++this.#depth > DEPTH) return undefined;
    const value = this.#chain(() => this.#product(), "+", "-");
    this.#depth--;
    return value;
  }

  #product(): Calculate | undefined {
    return this.#chain(() => this.#implicitProduct(), "*", "/", "%");
  }

  #chain(part: () => Calculate | undefined, ...signs: string[]): Calculate | undefined {
    let left = part();
    for (
      let sign = this.#take(...signs);
      left !== undefined && sign !== undefined;
      sign = this.#take(...signs)
    ) {
      const right = part();
      left = right === undefined ? undefined : combined(sign, left, right);
    }
    return left;
  }

  /** `2n`, `n(n+1)`: factors without a sign between them. */
  #implicitProduct(): Calculate | undefined {
    let left = this.#signed();
    while (left !== undefined && this.#beginsFactor()) {
      const right = this.#power();
      left = right === undefined ? undefined : combined("*", left, right);
    }
    return left;
  }

  #beginsFactor(): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === "name" || (token?.kind === "sign" && token.text === "(");
  }

  #signed(): Calculate | undefined {
    const sign = this.#take("-", "+");
    if (sign === undefined) return this.#power();
    if (++this.#depth > DEPTH) return undefined;
    const value = this.#signed();
    this.#depth--;
    return value === undefined || sign === "+" ? value : (values) => -value(values);
  }

  #power(): Calculate | undefined {
    const base = this.#factorial();
    if (base === undefined || this.#take("^", "**") === undefined) return base;
    const exponent = this.#signed();
    return exponent === undefined ? undefined : combined("^", base, exponent);
  }

  #factorial(): Calculate | undefined {
    let value = this.#primary();
    while (value !== undefined && this.#take("!") !== undefined) {
      const inner = value;
      value = (values) => BUILT_IN.get("factorial")?.call([inner(values)]) ?? Number.NaN;
    }
    return value;
  }

  #primary(): Calculate | undefined {
    const token = this.#tokens[this.#at++];
    if (token === undefined) return undefined;
    if (token.kind === "number") {
      const number = Number(token.text);
      return () => number;
    }
    if (token.kind === "name") return this.#named(token.text);
    if (token.text === "(") return this.#closed(this.#sum(), ")");
    if (token.text !== "|") return undefined;
    const inner = this.#closed(this.#sum(), "|");
    return inner === undefined ? undefined : (values) => Math.abs(inner(values));
  }

  #named(name: string): Calculate | undefined {
    const called = this.#functions.get(name) ?? BUILT_IN.get(name.toLowerCase());
    if (called !== undefined && this.#take("(") !== undefined) return this.#call(called);
    if (name.toLowerCase() === "pi") return () => Math.PI;
    if (name.length > 1 && !this.#names.has(name)) return undefined;
    this.variables.add(name);
    return (values) => values.get(name) ?? Number.NaN;
  }

  #call({ arity, call }: NumberFunction): Calculate | undefined {
    const given: Calculate[] = [];
    do {
      const argument = this.#sum();
      if (argument === undefined) return undefined;
      given.push(argument);
    } while (this.#take(",") !== undefined);
    if (given.length !== arity || this.#take(")") === undefined) return undefined;
    return (values) => exact(call(given.map((argument) => argument(values))));
  }

  #closed(value: Calculate | undefined, sign: string): Calculate | undefined {
    return this.#take(sign) === undefined ? undefined : value;
  }

  #take(...signs: string[]): string | undefined {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "sign" || !signs.includes(token.text)) return undefined;
    this.#at++;
    return token.text;
  }
}
