/** How far two doubles may lie apart, in relation, and still be the same number after a few operations. */
const TOLERANCE = 1e-9;
/** Relations in words and in other signs, as the grammar has them. */
const RELATIONS: readonly (readonly [RegExp, string])[] = [
  [/ never (?:returns|gives|yields) /gi, " is never "],
  [/ (?:always )?(?:returns|gives|yields) (?:always )?/gi, " is "],
  [/===?/g, "="],
  [/!==?|≠/g, "!="],
  [/≤/g, "<="],
  [/≥/g, ">="],
  [/ (?:is|are) (?:always |also )?(?:greater|larger|bigger|more) than or equal to /gi, " >= "],
  [/ (?:is|are) (?:always |also )?(?:less|smaller) than or equal to /gi, " <= "],
  [/ (?:is|are) (?:always |also )?at least /gi, " >= "],
  [/ (?:is|are) (?:always |also )?at most /gi, " <= "],
  [/ (?:is|are) (?:always |also )?(?:greater|larger|bigger|more) than /gi, " > "],
  [/ (?:is|are) (?:always |also )?(?:less|smaller) than /gi, " < "],
  [
    / (?:is|are) never equal to | (?:is|are) not equal to | (?:does not|never) equals? | differs from /gi,
    " != ",
  ],
  [/ (?:is|are) (?:always |also )?(?:equal to|the same as) | (?:always )?equals /gi, " = "],
  [/ exceeds /gi, " > "],
];

/** A formula with all its relations as signs. */
export const withSigns = (text: string): string =>
  RELATIONS.reduce((result, [pattern, sign]) => result.replace(pattern, sign), ` ${text.trim()} `);

/** Whether two numbers stand in a relation, `=` up to rounding; undefined where one of them is no number. */
export function compare(left: number, sign: string, right: number): boolean | undefined {
  if (Number.isNaN(left) || Number.isNaN(right)) return undefined;
  const same = Math.abs(left - right) <= TOLERANCE * Math.max(1, Math.abs(left), Math.abs(right));
  const equal = Number.isInteger(left) && Number.isInteger(right) ? left === right : same;
  switch (sign) {
    case "=":
      return equal;
    case "!=":
      return !equal;
    case "<=":
      return equal || left < right;
    case ">=":
      return equal || left > right;
    case "<":
      return !equal && left < right;
    default:
      return !equal && left > right;
  }
}
