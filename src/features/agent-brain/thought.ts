import { z } from "zod";
import { cutCodePoints } from "../../core/catalog/input.ts";
import type { Memory } from "../../core/memory/memory.ts";

/** What a fact may have that a model wants remembered; well below what a memory may have. */
const FACT_CHARS = 500;
/** Models write a few too many; what is beyond is not looked at. */
const FACTS_READ = 12;

/** What the model is to answer. */
export const thought = z.object({
  answer: z.string().trim().min(1),
  reasoning: z.string().trim(),
  confidence: z.number().describe("0 to 1"),
  used_memories: z.array(z.string()).describe("refs of memories"),
  learned: z.array(z.string()).describe("at most 3 facts"),
});

/** A memory as the model is shown it. Refs are short: a model would copy long ids with faults. */
export type ShownMemory = { readonly ref: string; readonly content: string; readonly created: string };

const refOf = (index: number): string => `m${index + 1}`;

/** The memories as the model is shown them, in their order. */
export const shownMemories = (memories: readonly Memory[]): ShownMemory[] =>
  memories.map(({ content, created }, index) => ({
    ref: refOf(index),
    content,
    created: created.toISOString(),
  }));

/** The memories that a model's refs name, in the order in which they were recalled; what else it names is dropped. */
export function usedMemories(
  memories: readonly Memory[],
  refs: readonly string[],
): Pick<Memory, "id" | "content">[] {
  const named = new Set(refs.map((ref) => ref.trim().toLowerCase()));
  return memories.filter((_, index) => named.has(refOf(index))).map(({ id, content }) => ({ id, content }));
}

/**
 * The facts of a model's list as they can be kept: one line each, cut to their length, none empty, none twice whatever
 * the case. They come from a model, so what no row can hold is taken out.
 */
export function keepableFacts(facts: readonly string[]): string[] {
  const byMeaning = new Map<string, string>();
  for (const fact of facts.slice(0, FACTS_READ)) {
    const line = fact.replaceAll("\0", "").toWellFormed().replace(/\s+/g, " ").trim();
    const kept = cutCodePoints(line, FACT_CHARS).trimEnd();
    const key = kept.normalize("NFKC").toLowerCase();
    if (kept !== "" && !byMeaning.has(key)) byMeaning.set(key, kept);
  }
  return [...byMeaning.values()];
}
