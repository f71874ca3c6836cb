import type { Db } from "../db.ts";
import type { CallEnd, ObserveEnd } from "../observe/call-end.ts";
import { beginSpan, endSpan } from "../observe/tracing.ts";
import { aboutCall } from "./settle.ts";

/** What ended a call that no worker brought to its end. */
type EndedBy = "cancel" | "sweep" | "run";

/** Tells, also in the trace of each, how these calls ended, which nobody ran to their end; none that has not. */
export async function noteEnds(
  db: Db,
  ids: readonly string[],
  by: EndedBy,
  onCallEnd: ObserveEnd,
): Promise<void> {
  if (ids.length === 0) return;
  const ends = await db.query<CallEnd & { readonly traceparent: string | null }>(
    `select id as "callId", request_id as "requestId", account_id as "accountId", slug, pool, state as outcome,
            extract(epoch from started_at - created_at)::double precision * 1000 as "waitMs",
            extract(epoch from ended_at - started_at)::double precision * 1000 as "runMs",
            trace_context as traceparent
       from calls where id = any ($1) and ended_at is not null`,
    [ids],
  );
  for (const { traceparent, ...end } of ends) {
    const about = {
      ...aboutCall({ ...end, id: end.callId }),
      "meshforge.outcome": end.outcome,
      "meshforge.ended_by": by,
    };
    endSpan(beginSpan("end", { under: traceparent, about }));
    onCallEnd(end);
  }
}
