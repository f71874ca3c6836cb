import type { Db } from "../db.ts";
import { unpacked } from "./packed-output.ts";

/** As a caller sees them: a run that waits for its nodes is running. */
export const CALL_STATES = ["queued", "running", "succeeded", "failed", "cancelled", "expired"] as const;
export type CallState = (typeof CALL_STATES)[number];

/** A call as its caller may see it. */
export type CallView = {
  readonly id: string;
  readonly accountId: string;
  readonly slug: string;
  readonly state: CallState;
  readonly price: number;
  readonly currency: "MESH" | "USD";
  /** What the account holds now, in the call's currency. */
  readonly balance: number;
  /** Canonical JSON; null where there is none or where `outputRef` says which artifact holds it. */
  readonly output: string | null;
  readonly outputRef: string | null;
  /** Its result and its events are no longer kept. */
  readonly expired: boolean;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly inputFault: boolean;
  readonly events: number;
  readonly createdAt: Date;
  readonly durationMs: number;
  /** While it waits or runs. */
  readonly queue: { readonly position: number; readonly slots: number } | null;
};

export const isFinal = (state: CallState): boolean => state !== "queued" && state !== "running";

type CallRow = {
  id: string;
  account_id: string;
  slug: string;
  state: CallState;
  price: number;
  currency: "MESH" | "USD";
  balance: number;
  output: string | null;
  output_lz4: Uint8Array | null;
  output_ref: string | null;
  expired: boolean;
  error_code: string | null;
  error_message: string | null;
  input_fault: boolean;
  events: number;
  created_at: Date;
  duration_ms: number;
  position: number | null;
  slots: number | null;
};

/** The columns of a `CallView`, from `calls c join balances b`. Position: who is served first if shares stay even. */
const VIEW = `
  c.id, c.account_id, c.slug, case c.state when 'waiting' then 'running' else c.state end as state, c.price, c.currency, b.amount as balance,
  c.error_code, c.error_message, c.input_fault, c.events, c.created_at,
  (extract(epoch from coalesce(c.ended_at, clock_now()) - c.created_at) * 1000)::integer as duration_ms,
  coalesce(c.ended_at < (select kept_from from retention), false) as expired,
  q.position, q.slots`;
const FROM = `
  from calls c
  join balances b on b.account_id = c.account_id and b.currency = c.currency
  left join lateral (
    select own.place + coalesce(sum(least(l.queued, own.place)), 0)::integer as position,
           (select coalesce(sum(w.slots), 0)::integer from workers w
             where w.pool = c.pool and w.seen_at > clock_now() - interval '5 seconds') as slots
      from (select count(*)::integer as place from calls o
             where o.pool = c.pool and o.account_id = c.account_id and o.priority = c.priority
               and o.state = 'queued' and o.id <= c.id) own
      left join lanes l on l.pool = c.pool and l.priority >= c.priority and l.account_id <> c.account_id
     where c.state = 'queued'
     group by own.place
  ) q on true`;

const outputOf = ({ output, output_lz4, output_ref }: CallRow): Pick<CallView, "output" | "outputRef"> => ({
  output: output_lz4 === null ? output : unpacked(output_lz4),
  outputRef: output_ref,
});

function toView(row: CallRow): CallView {
  return {
    id: row.id,
    accountId: row.account_id,
    slug: row.slug,
    state: row.state,
    price: row.price,
    currency: row.currency,
    balance: row.balance,
    ...(row.expired ? { output: null, outputRef: null } : outputOf(row)),
    expired: row.expired,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    inputFault: row.input_fault,
    events: row.events,
    createdAt: row.created_at,
    durationMs: row.duration_ms,
    queue: row.position === null ? null : { position: row.position, slots: row.slots ?? 0 },
  };
}

/** The calls of these ids, in any order; unknown ones are left out. */
export async function readCalls(db: Db, ids: readonly string[]): Promise<CallView[]> {
  const rows = await db.query<CallRow>(
    `select ${VIEW}, o.output, o.output_lz4, o.output_ref ${FROM}
       left join lateral (select k.output, k.output_lz4, k.output_ref from call_outputs k
                           where k.call_id = c.id limit 1) o on true
      where c.id = any($1)`,
    [ids],
  );
  // A partition may go before the hour of the last call in it, where the clock of the host that made it was behind.
  const isGone = (row: CallRow): boolean =>
    row.state === "succeeded" && row.output === null && row.output_lz4 === null && row.output_ref === null;
  return rows.map((row) => toView({ ...row, expired: row.expired || isGone(row) }));
}

export type CallFilter = {
  readonly state?: string | undefined;
  readonly slug?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
};

/** An account's calls without their outputs, newest first, at most `limit`. */
export async function listCalls(db: Db, accountId: string, filter: CallFilter): Promise<CallView[]> {
  const rows = await db.query<CallRow>(
    `select ${VIEW}, null as output, null as output_lz4, null as output_ref ${FROM}
      where c.account_id = $1 and ($2::text is null or c.state = $2 or ($2 = 'running' and c.state = 'waiting')) and ($3::text is null or c.slug = $3)
        and ($4::text is null or c.idempotency_key = $4) and ($5::text is null or c.id < $5)
      order by c.id desc limit $6`,
    [
      accountId,
      filter.state ?? null,
      filter.slug ?? null,
      filter.idempotencyKey ?? null,
      filter.before ?? null,
      filter.limit,
    ],
  );
  return rows.map(toView);
}
