import type { MemoryScope } from "./memory.ts";

/** A memory as a semantic server is told of it. */
export type IndexedMemory = MemoryScope & {
  readonly id: string;
  readonly content: string;
  readonly created: Date;
};

/** A server that finds memories by their meaning. See docs/memory.md for the interface that its adapter speaks. */
export type SemanticServer = {
  /** Ids of memories of the scope, the most fitting first. Rejects where no proper answer came; may name anything. */
  rank(
    scope: MemoryScope,
    query: { readonly question: string; readonly limit: number; readonly signal: AbortSignal },
  ): Promise<readonly string[]>;
  /** Tells the server of memories, some of which it may know. Rejects where it did not take all. */
  store(memories: readonly IndexedMemory[], signal: AbortSignal): Promise<void>;
};
