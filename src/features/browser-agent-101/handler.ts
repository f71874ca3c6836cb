import { z } from "zod";
import { defineHandler } from "../../core/catalog/define.ts";
import { ask } from "../../core/models/ask.ts";
import { loadPrompt } from "../../core/models/prompt.ts";
import browserAgent101 from "./index.ts";

const ANSWER_CHARS = 6_000;
const ITEM_CHARS = 1_000;
const ITEMS = 20;
/** The list has an order of its own; a model's numbers and bullets in front of an item say it again. */
const OWN_NUMBER = /^(?:step )?(?:\d{1,2}[.):]|[-*•])(?: |$)/i;

const item = z
  .string()
  .transform((text) => text.trim().replace(OWN_NUMBER, ""))
  .pipe(z.string().min(1).max(ITEM_CHARS));
const items = z
  .array(item)
  .min(1)
  .max(ITEMS)
  .transform((all) => [...new Set(all)]);

const lesson = z.object({
  answer: z.string().trim().min(1).max(ANSWER_CHARS),
  steps: items,
  pitfalls: items,
});

const prompt = loadPrompt(import.meta.dirname);

export default defineHandler(browserAgent101, async ({ question }, context) => {
  const { answer, model } = await ask(context, {
    tier: "small",
    task: "browser-agent-101",
    prompt,
    data: { question },
    schema: lesson,
  });
  return { ...answer, model };
});
