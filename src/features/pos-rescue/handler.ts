import { z } from "zod";
import { defineHandler, InputFault } from "../../core/catalog/define.ts";
import { ask } from "../../core/models/ask.ts";
import { loadPrompt } from "../../core/models/prompt.ts";
import { readExclusivity } from "./exclusivity.ts";
import { CardPaymentGuard } from "./guard.ts";
import { posRescue } from "./index.ts";

const prompt = loadPrompt(import.meta.dirname);

const filled = z.string().trim().min(1);
const open = z.object({
  diagnosis: filled,
  plan: z.array(filled).min(1),
  cautions: z.array(filled),
  next: z.array(filled),
  workaround: filled.nullable(),
});

/** What is left of an answer once every other way to take cards is out of it: it must still be a rescue. */
const closed = (guard: CardPaymentGuard) => {
  const kept = z.array(filled).transform((texts) => guard.keep(texts));
  return z
    .object({
      diagnosis: filled
        .transform((text) => guard.keepSentences(text))
        .refine((text) => text !== "", { error: NO_OTHER_WAY }),
      plan: kept.refine((steps) => steps.length > 0, { error: NO_OTHER_WAY }),
      cautions: kept,
      next: kept,
    })
    .transform((answer) => ({ ...answer, workaround: null }));
};

const NO_OTHER_WAY =
  "Nothing is left of it without other ways to take cards, which the contract may forbid. Say what gets the system itself to work";

/** It fails closed: a model that proposes what was not unlocked is not repeated. */
export default defineHandler(posRescue, async ({ trouble, pos, exclusivity }, context) => {
  if (trouble === "") throw new InputFault("empty_trouble", "The trouble is only white space.");
  const checked = readExclusivity(exclusivity);
  const system = pos === "" ? "unknown" : pos;
  const question = {
    tier: context.capability.model === "large" ? "large" : "small",
    task: posRescue.slug,
    prompt,
    data: { trouble, pos: system, exclusivity: checked },
  } as const;
  const { answer, model } =
    checked === "no"
      ? await ask(context, { ...question, schema: open })
      : await ask(context, { ...question, schema: closed(new CardPaymentGuard(system, trouble)) });
  const { next, ...rescue } = answer;
  return { rescue, exclusivity_checked: checked, model, next };
});
