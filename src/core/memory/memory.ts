/** Whose memories: an account's own (`character` is empty), or those of one of its characters. */
export type MemoryScope = {
  readonly accountId: string;
  /** As `characterSlug` gives it. */
  readonly character: string;
};

export type Memory = { readonly id: string; readonly content: string; readonly created: Date };

/** Which memory served: the semantic server's ranking, or the own store's. */
export type MemoryEngine = "semantic" | "local";

/** What handlers may know of memories. Nothing of one scope is ever given to another. */
export type MemoryPort = {
  /**
   * The newest memories that hold at least one of these terms, also inside a word, whatever the case; without terms
   * the newest of all. Newest first.
   */
  find(
    scope: MemoryScope,
    query: { readonly terms: readonly string[]; readonly limit: number },
  ): Promise<Memory[]>;
  /** The memories that fit a question best, the best first; where few fit, the newest fill the rest. */
  relevant(
    scope: MemoryScope,
    query: { readonly question: string; readonly limit: number; readonly signal: AbortSignal },
  ): Promise<{ readonly memories: readonly Memory[]; readonly engine: MemoryEngine }>;
  /** Those of these texts that the scope does not hold yet, whatever the case. */
  unknown(scope: MemoryScope, contents: readonly string[]): Promise<string[]>;
  /** How many more memories the account may keep, as counted some seconds ago; the fewer they are, the fresher. */
  room(accountId: string): Promise<number>;
};

/** How a scope is shown to its owner: the account's id, and after a slash the character's slug. */
export const scopeName = ({ accountId, character }: MemoryScope): string =>
  character === "" ? accountId : `${accountId}/${character}`;
