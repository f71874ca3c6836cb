import { z } from "zod";
import type { HandlerContext } from "../../../../src/core/catalog/define.ts";
import { ask } from "../../../../src/core/models/ask.ts";
import type { TextTier } from "../../../../src/core/models/models.ts";
import { loadPrompt } from "../../../../src/core/models/prompt.ts";

const prompt = loadPrompt(import.meta.dirname);
const schema = z.object({ words: z.number().int() });

/** Asks a tier how many words a text has. */
export async function askForWords(tier: TextTier, text: string, context: HandlerContext) {
  const { answer, model } = await ask(context, {
    tier,
    task: "test-question",
    prompt,
    data: { text },
    schema,
  });
  return { ...answer, model };
}
