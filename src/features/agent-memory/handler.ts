import { defineHandler, type HandlerContext, InputFault } from "../../core/catalog/define.ts";
import { LIMITS } from "../../core/limits.ts";
import { characterSlug } from "../../core/memory/character.ts";
import { countRecall, storeMemory } from "../../core/memory/effects.ts";
import { type MemoryScope, scopeName } from "../../core/memory/memory.ts";
import agentMemory from "./index.ts";

const MAX_TERMS = 5;
const MAX_MEMORIES = 10;

export default defineHandler(
  agentMemory,
  async ({ action, content = "", query = "", character = "" }, context) => {
    const scope = { accountId: context.accountId, character: characterSlug(character) };
    const stores = action === undefined ? content !== "" : action === "store";
    return stores ? await store(scope, content, context) : await recall(scope, query, context);
  },
);

/** The memory itself is made with the end of the call: it exists exactly when the call was paid. */
async function store(scope: MemoryScope, content: string, { memory, effect }: HandlerContext) {
  if ((await memory.room(scope.accountId)) <= 0) {
    throw new InputFault(
      "memory_full",
      `The account keeps ${LIMITS.memoriesPerAccount} memories already, and none is dropped for a new one.`,
    );
  }
  const { id, effect: stored } = storeMemory(scope, content);
  effect(stored);
  return {
    action: "store",
    stored: true,
    id,
    scope: scopeName(scope),
    length: Array.from(content).length,
  } as const;
}

async function recall(scope: MemoryScope, query: string, { memory, effect }: HandlerContext) {
  const terms = query.split(/\s+/).filter(Boolean).slice(0, MAX_TERMS);
  const found = await memory.find(scope, { terms, limit: MAX_MEMORIES });
  if (found.length > 0) effect(countRecall(found));
  const memories = found.map(({ created, ...rest }) => ({ ...rest, created: created.toISOString() }));
  return { action: "recall", memories, count: memories.length } as const;
}
