import {
  type Calculate,
  type Expression,
  type Functions,
  readExpression,
  type Values,
} from "./expression.ts";
import { readPredicate } from "./predicates.ts";
import { compare, withSigns } from "./relations.ts";

/** What came of a formula for some values: undefined where it cannot be told; `detail` is the calculation. */
export type Outcome = { readonly holds: boolean | undefined; readonly detail: string };
export type Formula = {
  readonly variables: readonly string[];
  /** Whether it asks for something that only whole numbers have, such as to be prime. */
  readonly ofWhole: boolean;
  readonly of: (values: Values) => Outcome;
};

const RELATION = /<=|>=|!=|=|<|>/;
const IS = /^(.+?) (?:is|are) (always |also )?(not |never )?(?:always )?(.+)$/i;
const DIVISIBLE = /^(?:divisible by|a multiple of) (.+)$/i;
const DIVIDES = /^(.+?) (does not divide|never divides|always divides|divides) (.+)$/i;

/**
 * Reads a formula: relations and chains of them (`0 <= n < 40`), `is prime`, `is divisible by k`, `divides`, joined
 * by `and` and `or`. Undefined for anything else.
 */
export function readFormula(text: string, functions: Functions): Formula | undefined {
  const spelled = withSigns(text);
  return joined(spelled, / or |\|\|/i, "or", (part) =>
    joined(part, / and |&&/i, "and", (atom) => readAtom(atom.trim(), functions)),
  );
}

function joined(
  text: string,
  joint: RegExp,
  word: "and" | "or",
  read: (part: string) => Formula | undefined,
): Formula | undefined {
  const parts = text.split(joint).map(read);
  const formulas = parts.filter((part) => part !== undefined);
  const [only] = formulas;
  if (formulas.length !== parts.length || only === undefined) return undefined;
  if (formulas.length === 1) return only;
  return {
    variables: [...new Set(formulas.flatMap(({ variables }) => variables))],
    ofWhole: formulas.some(({ ofWhole }) => ofWhole),
    of: (values) =>
      together(
        formulas.map((formula) => formula.of(values)),
        word,
      ),
  };
}

/** `and` fails by one that fails, `or` holds by one that holds, whatever the others are. */
function together(outcomes: readonly Outcome[], word: "and" | "or"): Outcome {
  const decides = word === "or";
  const deciding = outcomes.filter(({ holds }) => holds === decides);
  const told = deciding.length > 0 ? deciding : outcomes;
  const detail = told
    .map((outcome) => outcome.detail)
    .filter(Boolean)
    .join("; ");
  if (deciding.length > 0) return { holds: decides, detail };
  return { holds: outcomes.every(({ holds }) => holds === !decides) ? !decides : undefined, detail };
}

function readAtom(atom: string, functions: Functions): Formula | undefined {
  if (RELATION.test(atom)) return readRelation(atom, functions);
  return readDivides(atom, functions) ?? readProperty(atom, functions);
}

function readRelation(atom: string, functions: Functions): Formula | undefined {
  const signs = atom.match(new RegExp(RELATION, "g")) ?? [];
  const sides = atom.split(RELATION).map((side) => readExpression(side, functions));
  const known = sides.filter((side) => side !== undefined);
  if (known.length !== sides.length) return undefined;
  return {
    variables: variablesOf(known),
    ofWhole: false,
    of: (values) => {
      const numbers = known.map(({ value }) => value(values));
      const told = signs.map((sign, at) =>
        compare(numbers[at] ?? Number.NaN, sign, numbers[at + 1] ?? Number.NaN),
      );
      return {
        holds: allHold(told),
        detail: known
          .map((side, at) => calculation(side, numbers[at]))
          .filter(Boolean)
          .join(", "),
      };
    },
  };
}

/** Whether all of some things hold: one that does not decides, else one that cannot be told. */
export function allHold(told: readonly (boolean | undefined)[]): boolean | undefined {
  const kinds = new Set(told);
  return kinds.has(false) ? false : kinds.has(undefined) ? undefined : true;
}

function readDivides(atom: string, functions: Functions): Formula | undefined {
  const [, first = "", verb = "", second = ""] = DIVIDES.exec(atom) ?? [];
  return divisibility(second, first, /not|never/i.test(verb), functions);
}

function divisibility(
  number: string,
  divisor: string,
  negated: boolean,
  functions: Functions,
): Formula | undefined {
  const [dividend, by] = [readExpression(number, functions), readExpression(divisor, functions)];
  if (dividend === undefined || by === undefined) return undefined;
  return {
    variables: variablesOf([dividend, by]),
    ofWhole: true,
    of: (values) => {
      const [left, right] = [dividend.value(values), by.value(values)];
      const rest = right === 0 ? Number.NaN : left % right;
      return {
        holds: Number.isNaN(rest) ? undefined : (rest === 0) !== negated,
        detail: [calculation(dividend, left), `${left} leaves ${Math.abs(rest)} when divided by ${right}`]
          .filter(Boolean)
          .join(", and "),
      };
    },
  };
}

function readProperty(atom: string, functions: Functions): Formula | undefined {
  const [, subject = "", , not, words = ""] = IS.exec(atom) ?? [];
  const divisor = DIVISIBLE.exec(words)?.[1];
  if (divisor !== undefined) return divisibility(subject, divisor, not !== undefined, functions);
  const [expression, predicate] = [readExpression(subject, functions), readPredicate(words)];
  if (expression === undefined) return undefined;
  if (predicate === undefined) {
    // `x is y` names two things rather than two numbers.
    const isName = /^[a-z]$/i.test(words) || words === "";
    return isName
      ? undefined
      : readRelation(`${subject} ${not === undefined ? "=" : "!="} ${words}`, functions);
  }
  return {
    variables: expression.variables,
    ofWhole: predicate.kind === "of whole numbers",
    of: (values) => {
      const value = expression.value(values);
      const told = Number.isNaN(value) ? undefined : predicate.holds(value);
      const why = Number.isNaN(value) ? undefined : predicate.because?.(value);
      const detail = [calculation(expression, value), why].filter(Boolean).join(", and ");
      return { holds: told === undefined ? undefined : told === (not === undefined), detail };
    },
  };
}

const variablesOf = (expressions: readonly Expression[]): string[] => [
  ...new Set(expressions.flatMap(({ variables }) => variables)),
];

/** `n^2 = 49`; nothing for a number or a variable alone, whose value is known anyway. */
function calculation(
  { text, variables }: { text: string; variables: readonly string[]; value: Calculate },
  value = Number.NaN,
): string {
  return text === String(value) || (variables.length === 1 && variables[0] === text)
    ? ""
    : `${text} = ${value}`;
}
