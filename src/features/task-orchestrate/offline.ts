import { z } from "zod";
import { cutCodePoints } from "../../core/catalog/input.ts";
import { defineOffline } from "../../core/models/offline.ts";
import { clausesOf } from "./offline-clauses.ts";
import { factsFor, inputOf } from "./offline-inputs.ts";
import { chooseTools, type Choice } from "./offline-tools.ts";

const request = z.object({
  task: z.string(),
  tools: z.array(z.string()).min(1),
  context: z.record(z.string(), z.unknown()).default({}),
  memories: z.array(z.string()).default([]),
});

/** Words that point back at what was done before. */
const POINTS_BACK = /\b(?:then|after|afterwards|finally|them|these|those|results?|it|based on)\b/i;
const NAME_CHARS = 60;
const GUESSES_NAMED = 3;

/**
 * Plans by rules: the task's clauses that ask for something become steps, each with the tool whose name has most in
 * common with it, by words and by kind of work. What gathers can run at once; everything else waits for what is open.
 */
export default defineOffline(({ data }) => {
  const { task, tools, context, memories } = request.parse(data);
  const { clauses, background } = clausesOf(task);
  const choices = chooseTools(clauses.length === 0 ? [task] : clauses, tools);
  const waits = dependencies(choices);
  const facts = factsFor(
    choices.map(({ clause }) => clause),
    context,
  );
  const plan = choices.map((choice, index) => ({
    step: index + 1,
    tool: choice.tool,
    action: choice.action,
    input: inputOf({
      choice,
      before: waits[index] ?? [],
      facts: facts[index] ?? [],
      memories,
      background: index === 0 ? background : [],
    }),
    dependsOn: waits[index] ?? [],
  }));
  const estimated = choices.reduce((sum, { minutes }) => sum + minutes, 0);
  return { plan, summary: summaryOf(choices, tools, memories.length), estimated };
});

function dependencies(choices: readonly Choice[]): number[][] {
  let open: number[] = [];
  return choices.map(({ stage, clause }, index) => {
    const step = index + 1;
    if (stage === "gather" && !POINTS_BACK.test(clause)) {
      open.push(step);
      return [];
    }
    const before = open;
    open = [step];
    return before;
  });
}

function summaryOf(choices: readonly Choice[], tools: readonly string[], memories: number): string {
  const used = [...new Set(choices.map(({ tool }) => tool))];
  const guessed = choices.filter(({ fits }) => !fits).map(({ action }) => action);
  const named = guessed.slice(0, GUESSES_NAMED).join(" ");
  const names = used.map((tool) => cutCodePoints(tool, NAME_CHARS)).join(", ");
  return [
    `${choices.length} ${choices.length === 1 ? "step" : "steps"} with ${used.length} of ${tools.length} tools: ${names}.`,
    ...(guessed.length === 0 ? [] : [`No tool's name fits these, so their tools are guesses: ${named}`]),
    ...(memories === 0 ? [] : [`Looked at ${memories} stored ${memories === 1 ? "note" : "notes"}.`]),
  ].join(" ");
}
