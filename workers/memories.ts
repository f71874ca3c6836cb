import { MemoryIndexer } from "../src/core/memory/indexer.ts";
import type { Runtime } from "../src/platform/runtime.ts";

/** Tells the semantic memory server of what is stored, where there is one, in this process until stopped. */
export function indexMemories({ db, semanticMemory, log }: Runtime): { stop(): Promise<void> } {
  if (semanticMemory === null) return { stop: () => Promise.resolve() };
  const indexer = new MemoryIndexer({
    db,
    semantic: semanticMemory,
    onError: (error) => log.warn({ err: error }, "the semantic memory server was not told"),
  });
  indexer.start();
  return indexer;
}
