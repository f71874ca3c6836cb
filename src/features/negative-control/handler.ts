import { z } from "zod";
import { defineHandler, type HandlerContext } from "../../core/catalog/define.ts";
import { ask } from "../../core/models/ask.ts";
import { loadPrompt } from "../../core/models/prompt.ts";
import { confirmCode, confirmDiff } from "./confirmation.ts";
import { invertDiff, parseDiff } from "./diff.ts";
import negativeControl from "./index.ts";

const ASSERTION_CHARS = 4_000;
const REVERT_CHARS = 200_000;

const assertion = z.string().trim().min(1).max(ASSERTION_CHARS);
const forDiff = z.object({ assertion });
const forCode = z.object({ assertion, minimal_revert: z.string().regex(/\S/).max(REVERT_CHARS) });

const prompt = loadPrompt(import.meta.dirname);

export default defineHandler(negativeControl, ({ fix, context: about }, context) => {
  const files = parseDiff(fix);
  const given = { fix, ...(about === undefined ? {} : { context: about }) };
  return files === undefined
    ? controlOfCode(given, context)
    : controlOfDiff(given, invertDiff(files), context);
});

type Given = { readonly fix: string; readonly context?: string };

/** The revert of a diff is computed, and the model is asked for the assertion alone. */
async function controlOfDiff(given: Given, revert: string, context: HandlerContext) {
  const { answer, model } = await askFor(forDiff, { ...given, minimal_revert: revert }, context);
  return {
    assertion: answer.assertion,
    minimal_revert: revert,
    confirmed_non_vacuous: confirmDiff(given.fix, revert, answer.assertion),
    model,
  };
}

async function controlOfCode(given: Given, context: HandlerContext) {
  const { answer, model } = await askFor(forCode, given, context);
  return {
    ...answer,
    confirmed_non_vacuous: confirmCode(given.fix, answer.minimal_revert, answer.assertion),
    model,
  };
}

const askFor = <S extends z.ZodType>(schema: S, data: Record<string, unknown>, context: HandlerContext) =>
  ask(context, { tier: "small", task: "negative-control", prompt, data, schema });
