import { z } from "zod";
import { defineHandler } from "../../core/catalog/define.ts";
import { ask } from "../../core/models/ask.ts";
import { loadPrompt } from "../../core/models/prompt.ts";
import refutationPass from "./index.ts";
import { verdictOf } from "./verdict.ts";

const TEXT_CHARS = 4_000;
const ATTEMPTS = 50;

const answerShape = z.object({
  refuted: z.boolean(),
  counterexample: z.string().trim().max(TEXT_CHARS).nullable().default(null),
  attempts: z.array(z.string().trim().min(1).max(TEXT_CHARS)).min(1).max(ATTEMPTS),
  confidence: z.number().min(0).max(1),
});

const prompt = loadPrompt(import.meta.dirname);

export default defineHandler(refutationPass, async ({ claim, code }, context) => {
  const { answer, model } = await ask(context, {
    tier: "small",
    task: "refutation-pass",
    prompt,
    data: { claim, ...(code === undefined ? {} : { code }) },
    schema: answerShape,
  });
  return { claim, ...verdictOf(claim, code, answer), model };
});
