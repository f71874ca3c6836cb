import { z } from "zod";
import { defineHandler } from "../../core/catalog/define.ts";
import { ask } from "../../core/models/ask.ts";
import { loadPrompt } from "../../core/models/prompt.ts";
import personalize from "./index.ts";

const prompt = loadPrompt(import.meta.dirname);
const filled = z.string().trim().min(1);

/** The model chooses by number: so what it chooses is in the list, letter for letter. */
const answerAbout = (pieces: readonly string[]) => {
  const numbers = z.array(z.int().min(1).max(pieces.length));
  return z.object({ selected: numbers, headline: filled, hook: filled, avoid: numbers });
};

export default defineHandler(personalize, async ({ profile, content, goal }, context) => {
  const pieces = [...new Set(content)].filter((piece) => piece.trim() !== "");
  const { answer, model } = await ask(context, {
    tier: "small",
    task: personalize.slug,
    prompt,
    data: { profile, goal, content: pieces.map((text, index) => ({ number: index + 1, text })) },
    schema: answerAbout(pieces),
  });
  const named = (numbers: readonly number[]): Set<string> =>
    new Set(numbers.flatMap((number) => pieces[number - 1] ?? []));
  const avoid = named(answer.avoid);
  const selected = named(answer.selected).difference(avoid);
  return { ...answer, selected: [...selected], avoid: [...avoid], model };
});
