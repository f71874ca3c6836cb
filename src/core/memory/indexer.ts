import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import type { IndexedMemory, SemanticServer } from "./semantic.ts";

/**
 * Tells a semantic server of what was stored since it was told last, after it was stored: no call waits for it, a server
 * that was away hears of all when it is back, and one that is new hears of all there is. Each memory is one process's
 * until its lease runs out; the server may hear of one twice, and knows it by its id. Throws where the server does not
 * take what it is told: it is told again.
 */
export async function indexMemories(db: Db, semantic: SemanticServer, signal: AbortSignal): Promise<void> {
  const giveWayAt = performance.now() + LIMITS.jobTurnMs;
  while (!signal.aborted && performance.now() < giveWayAt) {
    const memories = await claimUntold(db);
    if (memories.length === 0) return;
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(LIMITS.indexTimeoutMs)]);
    await semantic.store(memories, inTime);
    const ids = memories.map(({ id }) => id);
    await db.query("update memories set index_due_at = null where id = any ($1)", [ids], {
      repeatable: true,
    });
    if (memories.length < LIMITS.indexBatch) return;
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
    `update memories set index_due_at = clock_now() + $2 * interval '1 ms'
      where id = any (array(select id from memories where index_due_at <= (select clock_now())
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
