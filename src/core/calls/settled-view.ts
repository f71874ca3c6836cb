import type { CallView } from "./call.ts";
import type { Outcome } from "./execute.ts";
import type { Settlement, Verdict } from "./settle.ts";

/** What the settled row of a call says that was settled with its outcome, without reading it back. */
export function settledView(
  settlement: Settlement,
  outcome: Outcome,
  verdict: Verdict,
  durationMs: number,
): CallView {
  const failed = outcome.state !== "succeeded";
  return {
    id: settlement.id,
    accountId: settlement.account_id,
    slug: settlement.slug,
    pool: settlement.pool,
    state: outcome.state,
    price: settlement.price,
    currency: settlement.currency,
    balance: verdict.balance ?? 0,
    output: failed ? null : outcome.output,
    outputRef: null,
    expired: false,
    errorCode: failed ? outcome.code : null,
    webhookUrl: settlement.webhook_url ?? null,
    errorMessage: failed ? outcome.message : null,
    inputFault: failed && outcome.inputFault,
    events: 1,
    createdAt: verdict.createdAt,
    durationMs,
    queue: null,
    startedAt: null,
    warnings: settlement.warnings ?? [],
  };
}
