import { z } from "zod";
import { defineHandler } from "../../core/catalog/define.ts";
import { ask } from "../../core/models/ask.ts";
import { loadPrompt } from "../../core/models/prompt.ts";
import bizAnalyze from "./index.ts";

const prompt = loadPrompt(import.meta.dirname);
const filled = z.string().trim().min(1);
const schema = z.object({
  recommendation: filled,
  reasoning: filled,
  actions: z.array(filled).min(1),
  confidence: z.number().min(0).max(1),
});

export default defineHandler(bizAnalyze, async ({ context: situation, goal, constraints = [] }, context) => {
  const data = {
    context: situation,
    ...(goal === undefined || goal === "" ? {} : { goal }),
    constraints: constraints.map((constraint) => constraint.trim()).filter(Boolean),
  };
  const { answer, model } = await ask(context, {
    tier: "small",
    task: bizAnalyze.slug,
    prompt,
    data,
    schema,
  });
  return { ...answer, model };
});
