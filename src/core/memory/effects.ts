import type { Effect } from "../catalog/define.ts";
import { newId } from "../ids.ts";
import type { Memory, MemoryScope } from "./memory.ts";

/** A new memory's id, and the effect that makes it when its call succeeds. `content` is 1 to 2,000 code points. */
export function storeMemory(
  { character }: MemoryScope,
  content: string,
): { readonly id: string; readonly effect: Effect } {
  const id = newId("mem");
  return { id, effect: { kind: "memory_store", data: { id, character, content } } };
}

/** The effect that counts these memories as recalled once more; their weight in `mind`. */
export const countRecall = (memories: readonly Memory[]): Effect => ({
  kind: "memory_recall",
  data: { ids: memories.map(({ id }) => id) },
});
