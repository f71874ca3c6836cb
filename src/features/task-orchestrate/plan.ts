import { z } from "zod";
import { type OrchestrateStep, orchestrateStep } from "./index.ts";

const STEPS = 30;
const ACTION_CHARS = 2_000;
const SUMMARY_CHARS = 4_000;
const WEEK_IN_MINUTES = 10_080;

const answerShape = z.object({
  plan: z
    .array(
      orchestrateStep.extend({
        action: z.string().trim().min(1).max(ACTION_CHARS),
        input: orchestrateStep.shape.input.default({}),
        dependsOn: orchestrateStep.shape.dependsOn.default([]),
      }),
    )
    .min(1)
    .max(STEPS),
  summary: z.string().trim().min(1).max(SUMMARY_CHARS),
  estimated: z.number().min(0).max(WEEK_IN_MINUTES).describe("Minutes for the whole plan."),
});

/**
 * What a model may answer for these tools: a plan that uses no others and can be carried out. It comes out in an
 * order in which every step waits for earlier ones only, numbered from 1. A fault names no text of the caller's,
 * because the model is told of it outside the data.
 */
export function planFor(tools: readonly string[]) {
  const given = new Set(tools);
  return answerShape.transform((answer, context) => {
    const fault = (message: string, ...path: (string | number)[]): void => {
      context.issues.push({ code: "custom", message, path: ["plan", ...path], input: answer.plan });
    };
    answer.plan.forEach(({ tool }, index) => {
      if (!given.has(tool)) fault("This is none of the given tools, letter by letter.", index, "tool");
    });
    const plan = inOrder(answer.plan);
    if (plan === undefined) {
      fault(
        "Every step needs a number of its own, and waits only for steps that there are, never in a circle.",
      );
      return z.NEVER;
    }
    return { ...answer, plan };
  });
}

/**
 * The steps in an order in which each waits for earlier ones only, otherwise as they were, and numbered from 1;
 * undefined where two have the same number, one waits for a step that is not there, or they wait in a circle.
 */
export function inOrder(steps: readonly OrchestrateStep[]): OrchestrateStep[] | undefined {
  const waiting = new Map(steps.map((step) => [step.step, step]));
  if (waiting.size !== steps.length) return undefined;
  const numbers = new Map<number, number>();
  const ordered: OrchestrateStep[] = [];
  while (waiting.size > 0) {
    const next = waiting.values().find(({ dependsOn }) => dependsOn.every((before) => numbers.has(before)));
    if (next === undefined) return undefined;
    waiting.delete(next.step);
    numbers.set(next.step, ordered.length + 1);
    const dependsOn = [...new Set(next.dependsOn.map((before) => numbers.get(before) ?? 0))];
    ordered.push({ ...next, step: ordered.length + 1, dependsOn: dependsOn.toSorted((a, b) => a - b) });
  }
  return ordered;
}
