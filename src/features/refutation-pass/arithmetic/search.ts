import { judge, type NumberClaim, type Variable } from "./claim.ts";

/** What came of trying values: the first that decides, and how many were tried. */
export type Search = {
  /** Values that refute a claim about all, or show one about some. */
  readonly found: { readonly values: ReadonlyMap<string, number>; readonly detail: string } | undefined;
  readonly tried: number;
  /** How many could not be told: too large, or without a value. */
  readonly untold: number;
};

/** How far whole numbers are tried up and down, by the number of variables. */
const REACH: readonly { readonly up: number; readonly down: number }[] = [
  { up: 0, down: 0 },
  { up: 2_000, down: 200 },
  { up: 25, down: 12 },
  { up: 8, down: 4 },
  { up: 4, down: 2 },
];
const FRACTIONS = [0.5, -0.5, 0.25, 1.5, -1.5, 2.75];
/** Where computers' numbers have their edges. */
const EDGES = [255, 256, 4_096, 32_767, 32_768, 65_535, 65_536, 2_147_483_647, 2_147_483_648, -2_147_483_648];
/** Mathematicians' names for whole numbers, where a claim does not say what its variables are. */
const WHOLE_NAMES = /^[i-npq]$/i;

/** Tries a claim on small values, edges, and the numbers `near` which it speaks; smallest first. Undefined for too many variables. */
export function search(claim: NumberClaim, near: readonly number[]): Search | undefined {
  const reach = REACH[claim.variables.length];
  if (reach === undefined) return undefined;
  const wanted = claim.kind === "all" ? "fails" : "holds";
  let tried = 0;
  let untold = 0;
  for (const values of combinations(claim.variables, reach, near)) {
    const { verdict, detail } = judge(claim, values);
    if (verdict === "outside") continue;
    tried++;
    if (verdict === "unknown") untold++;
    if (verdict === wanted) return { found: { values, detail }, tried, untold };
  }
  return { found: undefined, tried, untold };
}

/** Whether a claim leaves open what a variable is, its name says a whole number, and the value is below zero. */
export const isDoubtful = ({ name, isStated }: Variable, value: number): boolean =>
  !isStated && WHOLE_NAMES.test(name) && value < 0;

function* combinations(
  variables: readonly Variable[],
  reach: { readonly up: number; readonly down: number },
  near: readonly number[],
): Generator<Map<string, number>> {
  const [first, ...rest] = variables;
  if (first === undefined) {
    yield new Map();
    return;
  }
  const samples = samplesOf(first, reach, near);
  for (const value of samples) {
    for (const others of combinations(rest, reach, near)) yield new Map([[first.name, value], ...others]);
  }
}

function samplesOf(
  { name, whole, admits }: Variable,
  { up, down }: { readonly up: number; readonly down: number },
  near: readonly number[],
): number[] {
  const isWhole = whole ?? WHOLE_NAMES.test(name);
  const around = near.flatMap((number) => [number - 1, number, number + 1]);
  const samples = [
    0,
    ...count(up, 1),
    ...around,
    ...count(down, -1),
    ...(isWhole ? [] : FRACTIONS),
    ...EDGES,
  ];
  return [...new Set(samples)].filter((value) => admits(value) && (!isWhole || Number.isInteger(value)));
}

/** 1, 2, 3 ... as often as wanted, with a sign. */
const count = (length: number, sign: 1 | -1): number[] =>
  Array.from({ length }, (_, index) => sign * (index + 1));
