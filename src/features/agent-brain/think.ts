import type { HandlerContext } from "../../core/catalog/define.ts";
import { characterSlug } from "../../core/memory/character.ts";
import { countRecall, storeMemory } from "../../core/memory/effects.ts";
import type { MemoryPort, MemoryScope } from "../../core/memory/memory.ts";
import { ask } from "../../core/models/ask.ts";
import type { TextTier } from "../../core/models/models.ts";
import { loadPrompt } from "../../core/models/prompt.ts";
import type { BrainInput, BrainOutput } from "./contract.ts";
import { keepableFacts, shownMemories, thought, usedMemories } from "./thought.ts";

const MEMORIES_READ = 12;
const MEMORIES_WRITTEN = 3;

const PROMPT = loadPrompt(import.meta.dirname);

/**
 * Thinks about a question with what the scope remembers, and remembers what the question taught: made with the end of
 * the call, like the count of what was recalled. Throws what `ask` throws; never fails for a semantic memory server.
 */
export async function think(
  { think: question, character = "" }: BrainInput,
  context: HandlerContext,
  { tier, task }: { readonly tier: TextTier; readonly task: string },
): Promise<BrainOutput> {
  const { memory, effect, progress, signal, accountId } = context;
  const scope = { accountId, character: characterSlug(character) };
  progress({ stage: "recalling" });
  const { memories, engine } = await memory.relevant(scope, { question, limit: MEMORIES_READ, signal });
  progress({ stage: "thinking", memories: memories.length });
  const data = { question, memories: shownMemories(memories) };
  const { answer: given, model } = await ask(context, { tier, task, prompt: PROMPT, data, schema: thought });
  progress({ stage: "remembering" });
  const learned = await newFacts(memory, scope, keepableFacts(given.learned));
  if (memories.length > 0) effect(countRecall(memories));
  for (const fact of learned) effect(storeMemory(scope, fact).effect);
  return {
    answer: given.answer,
    reasoning: given.reasoning,
    confidence: Math.min(1, Math.max(0, given.confidence)),
    memories_considered: memories.length,
    used_memories: usedMemories(memories, given.used_memories),
    learned,
    model,
    engine,
  };
}

/** The first facts that the scope does not hold, as far as the account may keep more. */
async function newFacts(memory: MemoryPort, scope: MemoryScope, facts: readonly string[]): Promise<string[]> {
  if (facts.length === 0) return [];
  const [unknown, room] = await Promise.all([memory.unknown(scope, facts), memory.room(scope.accountId)]);
  return unknown.slice(0, Math.max(0, Math.min(MEMORIES_WRITTEN, room)));
}
