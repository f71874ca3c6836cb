import type { Check } from "./check.ts";
import { type Result, RESULTS } from "./observatory-results.ts";

const BASELINE = 100;
const LEAST_FOR_BONUS = 90;
/** The lowest score of each grade. */
const GRADE_CHART = [
  [100, "A+"],
  [90, "A"],
  [85, "A-"],
  [80, "B+"],
  [70, "B"],
  [65, "B-"],
  [60, "C+"],
  [50, "C"],
  [45, "C-"],
  [40, "D+"],
  [30, "D"],
  [25, "D-"],
  [0, "F"],
] as const;
export const GRADES = GRADE_CHART.map(([, grade]) => grade);
export type Grade = (typeof GRADE_CHART)[number][1];

/** The score of these results, and its grade. */
export function gradeOf(results: readonly Result[]): { readonly score: number; readonly grade: Grade } {
  const modifiers = results.map((result) => RESULTS[result].modifier);
  const penalised = modifiers.reduce<number>((left, modifier) => left + Math.min(modifier, 0), BASELINE);
  const bonus = modifiers.reduce<number>((won, modifier) => won + Math.max(modifier, 0), 0);
  const score = Math.max(penalised >= LEAST_FOR_BONUS ? penalised + bonus : penalised, 0);
  const [, grade] = GRADE_CHART.find(([least]) => score >= least) ?? [0, "F"];
  return { score, grade };
}

/** From which penalty on a result is more than worth a look. */
const FAILS_FROM = -20;
const HIGH_FROM = -25;
const CRITICAL_FROM = -50;

/** A result as a check of the report. */
export function checkOf(id: string, result: Result): Check {
  const { modifier, says } = RESULTS[result];
  const detail = `${says} (${result}: ${modifier > 0 ? "+" : ""}${modifier})`;
  if (modifier >= 0) return { id, status: "pass", severity: "info", detail };
  if (modifier > FAILS_FROM) {
    return { id, status: "warn", severity: modifier > -10 ? "low" : "medium", detail };
  }
  const severity = modifier <= CRITICAL_FROM ? "critical" : modifier <= HIGH_FROM ? "high" : "medium";
  return { id, status: "fail", severity, detail };
}
