import type { Admitted } from "./admit.ts";
import { type Run, Seen } from "./run.ts";
import type { Schema } from "./vocabulary.ts";

/** Whether a value keeps a rule. `seen` gathers what the rule has looked at, where the schema asks for it anywhere. */
export type Rule = (value: unknown, run: Run, seen: Seen | null) => boolean;

/** A schema as it is applied: valid is what keeps all of its rules. */
export type Node = {
  readonly rules: Rule[];
  /** `false`: what it is applied to must not be there. */
  readonly nothing?: boolean;
};

export type Compiler = {
  readonly nodeOf: (schema: Schema) => Node;
  readonly at: Admitted["at"];
  readonly formats: boolean;
  /** Whether what is looked at has to be gathered. */
  readonly marking: boolean;
};

/** Text of this length is as much work as any other step. */
const CHARS_A_STEP = 256;

export const stepsOfText = (chars: number): number => Math.floor(chars / CHARS_A_STEP);

/** Applies a schema to a value. What it has looked at counts only where the value fits it. */
export function apply(node: Node, value: unknown, run: Run, seen: Seen | null): boolean {
  const own = seen === null ? null : new Seen();
  let holds = true;
  for (const rule of node.rules) {
    run.spend(1);
    if (rule(value, run, own)) continue;
    holds = false;
    if (run.quiet) return false;
  }
  if (holds && own !== null) {
    run.spend(stepsOfText(own.keys.size + own.items.size));
    seen?.add(own);
  }
  return holds;
}

/** Applies a schema to a part of a value, which has seen nothing yet. */
export const applyInside = (
  node: Node,
  part: unknown,
  key: string | number,
  run: Run,
  seen: Seen | null,
): boolean => run.inside(key, () => apply(node, part, run, seen === null ? null : new Seen()));

/** Whether all of them hold; where faults are told, each is looked at. */
export function all<T>(of: Iterable<T>, run: Run, holds: (one: T) => boolean): boolean {
  let good = true;
  for (const one of of) {
    if (holds(one)) continue;
    good = false;
    if (run.quiet) break;
  }
  return good;
}
