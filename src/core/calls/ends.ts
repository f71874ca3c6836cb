import type { Db } from "../db.ts";
import type { CallEnd } from "../observe/call-end.ts";

/** How calls ended that nobody ran to their end here; none for those that have not. */
export async function readEnds(db: Db, ids: readonly string[]): Promise<CallEnd[]> {
  return await db.query<CallEnd>(
    `select id as "callId", request_id as "requestId", account_id as "accountId", slug, pool, state as outcome,
            extract(epoch from started_at - created_at)::double precision * 1000 as "waitMs",
            extract(epoch from ended_at - started_at)::double precision * 1000 as "runMs"
       from calls where id = any ($1) and ended_at is not null`,
    [ids],
  );
}
