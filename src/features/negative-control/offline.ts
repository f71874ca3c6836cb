import { z } from "zod";
import { defineOffline } from "../../core/models/offline.ts";
import { keywords } from "../../offline/text/keywords.ts";
import { parseDiff } from "./diff.ts";
import { carryingChange, changesOf } from "./offline-changes.ts";
import { controlOfCode } from "./offline-code.ts";
import { controlOfWords, isWords } from "./offline-words.ts";

const request = z.object({ fix: z.string(), context: z.string().default("") });

/**
 * Finds the change that carries a fix by the forms that guards, bounds and defaults have in code, and says what holds
 * with it alone. Of code it takes the guard away or turns its bound, as mutation testing does.
 */
export default defineOffline(({ data }) => {
  const { fix, context } = request.parse(data);
  const nearness = nearnessTo(context);
  const files = parseDiff(fix);
  if (files !== undefined) return { assertion: carryingChange(changesOf(files), nearness).says };
  return isWords(fix) ? controlOfWords(fix, context) : controlOfCode(fix, nearness);
});

/** How many of a text's keywords another text has, as a share; 0 for a text without any. */
function nearnessTo(context: string): (text: string) => number {
  const wanted = new Set(keywords(context));
  return (text) => (wanted.size === 0 ? 0 : wanted.intersection(new Set(keywords(text))).size / wanted.size);
}
