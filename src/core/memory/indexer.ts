import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import type { IndexedMemory, SemanticServer } from "./semantic.ts";

export type IndexerOptions = {
  readonly db: Db;
  readonly semantic: SemanticServer;
  /** The server did not take what it was told of: it is told again. */
  readonly onError: (error: unknown) => void;
};

/**
 * Tells a semantic server of what was stored, after it was stored: no call waits for it, a server that was away hears
 * of all when it is back, and one that is new hears of all there is. Any number of processes may; each memory is one's
 * until its lease runs out. The server may hear of a memory twice, and knows it by its id.
 */
export class MemoryIndexer {
  readonly #options: IndexerOptions;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: IndexerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Ends what is under way; what was not told is due again after its lease. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const told = await this.#tellBatch().catch((error: unknown) => {
        if (!signal.aborted) this.#options.onError(error);
        return 0;
      });
      // A full batch: more is waiting.
      if (told < LIMITS.indexBatch)
        await sleep(LIMITS.indexLookMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #tellBatch(): Promise<number> {
    const { db, semantic } = this.#options;
    const memories = await claimUntold(db);
    if (memories.length === 0) return 0;
    const inTime = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(LIMITS.indexTimeoutMs)]);
    await semantic.store(memories, inTime);
    await db.query(
      "update memories set index_due_at = null where id = any ($1)",
      [memories.map(({ id }) => id)],
      {
        repeatable: true,
      },
    );
    return memories.length;
  }
}

/** Takes some memories that the server was not told of, the longest due first. */
async function claimUntold(db: Db): Promise<IndexedMemory[]> {
  const rows = await db.query<{
    id: string;
    account_id: string;
    character: string;
    content: string;
    created_at: Date;
  }>(
    `update memories set index_due_at = clock_timestamp() + $2 * interval '1 ms'
      where id = any (array(select id from memories where index_due_at <= clock_timestamp()
                             order by index_due_at limit $1 for no key update skip locked))
     returning id, account_id, character, content, created_at`,
    [LIMITS.indexBatch, LIMITS.indexLeaseMs],
  );
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    character: row.character,
    content: row.content,
    created: row.created_at,
  }));
}
