import { batch } from "../batch.ts";
import type { Pool } from "../catalog/define.ts";
import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import type { ClaimedCall } from "./dispatch.ts";
import { type OutcomeColumns, placeOutputs } from "./outputs.ts";

/** How a worker reports an end; `expired` and `cancelled` are its own findings, the rest the handler's outcome. */
export type EndColumns =
  | OutcomeColumns
  | { readonly state: "expired" | "cancelled"; readonly error_code: string; readonly error_message: string };

type Fence = { readonly id: string; readonly attempt: number };

/** A worker's side of the money protocol: claims, leases, events and ends, in lists. */
export class Work {
  readonly #db: Db;
  readonly #worker: string;
  readonly end: (end: Fence & EndColumns) => Promise<"ended" | "stale">;
  readonly progress: (event: Fence & { readonly data: string }) => Promise<void>;

  constructor(db: Db, worker: string) {
    this.#db = db;
    this.#worker = worker;
    this.end = batch<Fence & EndColumns, "ended" | "stale">({
      maxItems: LIMITS.settleBatch,
      maxInFlight: LIMITS.settleBatchesInFlight,
      run: async (ends) => {
        const placed = placeOutputs(ends.map((end) => ({ ...end, worker })));
        const rows = await db.query<{ id: string; verdict: "ended" | "stale" }>(
          "select id, verdict from end_calls($1, $2)",
          [JSON.stringify(placed.items), placed.outputs],
          { repeatable: true },
        );
        const verdicts = new Map(rows.map((row) => [row.id, row.verdict]));
        return ends.map(({ id }) => verdicts.get(id) ?? "stale");
      },
    });
    this.progress = batch<Fence & { readonly data: string }, void>({
      maxItems: LIMITS.settleBatch,
      maxInFlight: 1,
      run: async (events) => {
        const numbered = events.map((event, ord) => ({ ...event, ord, worker }));
        await db.query("select from add_events($1, $2)", [JSON.stringify(numbered), LIMITS.eventsPerCall]);
        return events.map(() => undefined);
      },
    });
  }

  async claim(pool: Pool, count: number): Promise<ClaimedCall[]> {
    const rows = await this.#db.query<{
      id: string;
      account_id: string;
      slug: string;
      version: string;
      attempt: number;
      input: string;
      warnings: readonly string[] | null;
      left_ms: number;
      waited_ms: number;
      request_id: string | null;
      trace_context: string | null;
      parent_id: string | null;
    }>("select * from claim_calls($1, $2, $3, $4)", [pool, count, this.#worker, LIMITS.leaseMs]);
    return rows.map((row) => ({
      id: row.id,
      accountId: row.account_id,
      slug: row.slug,
      version: row.version,
      attempt: row.attempt,
      input: row.input,
      warnings: row.warnings ?? [],
      requestId: row.request_id,
      traceparent: row.trace_context,
      waitedMs: row.waited_ms,
      parentId: row.parent_id,
      leftMs: row.left_ms,
    }));
  }

  /** Renews leases; says for each attempt whether it is kept, to be cancelled, or lost to another. */
  async renew(held: readonly Fence[]): Promise<(Fence & { readonly verdict: "kept" | "cancel" | "lost" })[]> {
    return await this.#db.query("select id, attempt, verdict from renew_leases($1, $2, $3, $4)", [
      this.#worker,
      held.map(({ id }) => id),
      held.map(({ attempt }) => attempt),
      LIMITS.leaseMs,
    ]);
  }

  /** Gives unfinished calls back to their queue. */
  async handBack(held: readonly Fence[]): Promise<{ id: string; pool: Pool }[]> {
    return await this.#db.query("select id, pool from hand_back_calls($1, $2, $3)", [
      this.#worker,
      held.map(({ id }) => id),
      held.map(({ attempt }) => attempt),
    ]);
  }
}
