import { z } from "zod";
import { defineHandler } from "../../core/catalog/define.ts";
import { ask } from "../../core/models/ask.ts";
import { loadPrompt } from "../../core/models/prompt.ts";
import taskAnalysis, { VERDICTS } from "./index.ts";

const prompt = loadPrompt(import.meta.dirname);
const filled = z.string().trim().min(1);
const schema = z.object({
  summary: filled,
  steps: z.array(filled).min(1),
  risks: z.array(filled),
  verdict: z.enum(VERDICTS),
});

export default defineHandler(taskAnalysis, async ({ task }, context) => {
  const question = { tier: "small", task: taskAnalysis.slug, prompt, data: { task }, schema } as const;
  const { answer, model } = await ask(context, question);
  return { analysis: answer, model };
});
