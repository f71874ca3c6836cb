import { batch } from "../batch.ts";
import type { Effect } from "../catalog/define.ts";
import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import type { CallEnd, ObserveEnd } from "../observe/call-end.ts";
import { beginSpan, inSpan } from "../observe/tracing.ts";
import { placeOutputs } from "./outputs.ts";

/**
 * A call to settle. Hashes are hex. One that is `queued` waits for a worker, and one that is `waiting` is a run; any
 * other state brings an outcome: the call was run by who settles it.
 */
export type Settlement = {
  readonly id: string;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly slug: string;
  readonly version: string;
  readonly pool: string;
  readonly priority: number;
  readonly price: number;
  readonly currency: "MESH" | "USD";
  readonly state: "queued" | "waiting" | "succeeded" | "failed" | "expired";
  readonly max_attempts: number;
  readonly timeout_ms: number;
  readonly deadline_ms: number;
  /** Canonical JSON, or its UTF-8. */
  readonly input: string | Uint8Array | null;
  readonly input_sha256: string;
  /** What its caller is told of the input; absent where nothing is. */
  readonly warnings?: readonly string[];
  readonly output?: string | null;
  readonly output_ref?: string | null;
  readonly output_sha256?: string;
  readonly error_code?: string;
  readonly error_message?: string;
  readonly input_fault?: boolean;
  readonly effects?: readonly Effect[];
  readonly tokens_prompt?: number;
  readonly tokens_completion?: number;
  readonly idempotency_key: string | null;
  /** What logs call the request that makes it. */
  readonly request_id?: string | null;
  /** The `traceparent` of that request. */
  readonly trace_context?: string | null;
  readonly request_sha256: string | null;
  readonly started_ms_ago?: number;
  /** Where the end is posted; absent where nowhere. */
  readonly webhook_url?: string | undefined;
  /** The version of the rules that a run begins with. */
  readonly run_rules?: number;
};

export type Verdict = {
  readonly verdict:
    | "accepted"
    | "replayed"
    | "mismatch"
    | "again"
    | "unauthorized"
    | "quarantined"
    | "spend_limit_reached"
    | "insufficient_funds"
    | "queue_full";
  /** The settled call, or the first one of a replayed key. */
  readonly callId: string;
  readonly balance: number | null;
  readonly createdAt: Date;
};

/**
 * Settles one call, together with those that come at the same time: see `settle_calls` for the verdicts. One that is
 * accepted with its outcome has ended.
 */
export function createSettle(
  db: Db,
  maxQueuedPerAccount: number,
  onCallEnd: ObserveEnd = () => undefined,
): (item: Settlement) => Promise<Verdict> {
  type Result = {
    ord: number;
    verdict: Verdict["verdict"];
    call_id: string;
    balance: number | null;
    created_at: Date;
  };
  const settle = async (items: readonly Settlement[]): Promise<Verdict[]> => {
    const placed = placeOutputs(items);
    const rows = await db.query<Result>(
      "select ord, verdict, call_id, balance, created_at from settle_calls($1, $2, $3)",
      [JSON.stringify(placed.items), placed.outputs, maxQueuedPerAccount],
      { repeatable: true },
    );
    const byOrd = new Map(rows.map((row) => [row.ord, row]));
    return items.map((item, ord) => {
      const row = byOrd.get(ord);
      if (row === undefined) throw new Error(`settle_calls gave no verdict for ${item.id}`);
      return { verdict: row.verdict, callId: row.call_id, balance: row.balance, createdAt: row.created_at };
    });
  };
  const short = batch({
    maxItems: LIMITS.settleBatch,
    maxInFlight: LIMITS.settleBatchesInFlight,
    run: settle,
  });
  // What takes the database long to write keeps nobody waiting but others like it.
  const long = batch({ maxItems: 1, maxInFlight: LIMITS.settleBatchesInFlight, run: settle });
  return async (item) => {
    const once = (item.input?.length ?? 0) > LIMITS.settleTogetherBytes ? long : short;
    for (;;) {
      const span = beginSpan("settle", { under: item.trace_context, about: aboutCall(item) });
      const verdict = await inSpan(span, () => once(item));
      if (verdict.verdict === "accepted" && item.state !== "queued" && item.state !== "waiting")
        onCallEnd(endOf(item, item.state));
      if (verdict.verdict !== "again") return verdict;
    }
  };
}

/** What spans say of a call. */
export const aboutCall = ({ id, slug, pool }: Pick<Settlement, "id" | "slug" | "pool">) => ({
  "meshforge.call_id": id,
  "meshforge.slug": slug,
  "meshforge.pool": pool,
});

/** The end of a call that was settled with its outcome. */
export const endOf = (item: Settlement, outcome: CallEnd["outcome"]): CallEnd => ({
  callId: item.id,
  requestId: item.request_id ?? null,
  accountId: item.account_id,
  slug: item.slug,
  pool: item.pool,
  outcome,
  waitMs: null,
  runMs: item.started_ms_ago ?? null,
});
