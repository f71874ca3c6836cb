import { checkCursor } from "../cursor.ts";
import type { Db } from "../db.ts";
import { LIMITS } from "../limits.ts";
import { unpacked } from "./packed-output.ts";

/** As a caller sees them: a run that waits for its nodes is running. */
export const CALL_STATES = ["queued", "running", "succeeded", "failed", "cancelled", "expired"] as const;
export type CallState = (typeof CALL_STATES)[number];

/** A call as its caller may see it. */
export type CallView = {
  readonly id: string;
  readonly accountId: string;
  readonly slug: string;
  readonly pool: string;
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
  /** Where its end is posted. */
  readonly webhookUrl: string | null;
  readonly inputFault: boolean;
  readonly events: number;
  readonly createdAt: Date;
  readonly durationMs: number;
  /** While it waits: its place, what the pool's workers run at once, and how much of that they run now. */
  readonly queue: { readonly position: number; readonly slots: number; readonly busy: number } | null;
  /** When it was first begun; null where it was not, or does not matter. */
  readonly startedAt: Date | null;
  /** What is told of its input. */
  readonly warnings: readonly string[];
};

export const isFinal = (state: CallState): boolean => state !== "queued" && state !== "running";

type CallRow = {
  id: string;
  account_id: string;
  slug: string;
  pool: string;
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
  webhook_url: string | null;
  input_fault: boolean;
  events: number;
  created_at: Date;
  duration_ms: number;
  position: number | null;
  slots: number | null;
  busy: number | null;
  started_at: Date | null;
  warnings: readonly string[] | null;
};

/** The columns of a `CallView`, from `calls c` and its `joins`. Position: who is served first if shares stay even. */
const VIEW = `
  c.id, c.account_id, c.slug, c.pool, case c.state when 'waiting' then 'running' else c.state end as state, c.price, c.currency,
  b.amount as balance,
  c.warnings, c.error_code, c.error_message, c.webhook_url, c.input_fault, c.events, c.created_at, c.started_at,
  (extract(epoch from coalesce(c.ended_at, clock_now()) - c.created_at) * 1000)::integer as duration_ms,
  coalesce(c.ended_at < (select kept_from from retention), false) as expired,
  q.position, q.slots, q.busy`;
const joins = (place: string): string => `
  left join lateral (select h.amount from balances h
                      where h.account_id = c.account_id and h.currency = c.currency limit 1) b on true
  left join lateral (
    select own.place + coalesce(sum(least(l.queued, own.place)) filter (where l.queued > 0), 0)::integer as position,
           (select coalesce(sum(b.running), 0)::integer from lanes b where b.pool = c.pool) as busy,
           (select coalesce(sum(w.slots), 0)::integer from workers w
             where w.pool = c.pool and w.seen_at > clock_now() - interval '5 seconds') as slots
      from (${place}) own
      left join lanes l on l.pool = c.pool and l.priority >= c.priority and l.account_id <> c.account_id
     where c.state = 'queued'
     group by own.place
  ) q on true`;
/** The place of a call among those of its account, counted; and looked up, where a list read all of them once. */
const COUNTED_PLACE = `
  select count(*)::integer as place from calls o
   where o.pool = c.pool and o.account_id = c.account_id and o.priority = c.priority
     and o.state = 'queued' and o.id <= c.id`;
const LISTED_PLACE = `
  select width_bucket(c.id, w.ids) as place from waiting w where w.pool = c.pool and w.priority = c.priority`;

const outputOf = ({ output, output_lz4, output_ref }: CallRow): Pick<CallView, "output" | "outputRef"> => ({
  output: output_lz4 === null ? output : unpacked(output_lz4),
  outputRef: output_ref,
});

function toView(row: CallRow): CallView {
  return {
    id: row.id,
    accountId: row.account_id,
    slug: row.slug,
    pool: row.pool,
    state: row.state,
    price: row.price,
    currency: row.currency,
    balance: row.balance,
    ...(row.expired ? { output: null, outputRef: null } : outputOf(row)),
    expired: row.expired,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    webhookUrl: row.webhook_url,
    inputFault: row.input_fault,
    events: row.events,
    createdAt: row.created_at,
    durationMs: row.duration_ms,
    queue:
      row.position === null ? null : { position: row.position, slots: row.slots ?? 0, busy: row.busy ?? 0 },
    startedAt: row.started_at,
    warnings: row.warnings ?? [],
  };
}

/** The calls of these ids, in any order; unknown ones are left out. */
export async function readCalls(db: Db, ids: readonly string[]): Promise<CallView[]> {
  const rows = await db.query<CallRow>(
    `select ${VIEW}, o.output, o.output_lz4, o.output_ref from calls c ${joins(COUNTED_PLACE)}
       left join lateral (select k.output, k.output_lz4, k.output_ref from call_outputs k
                           where k.call_id = c.id limit 1) o on true
      where c.id = any($1)`,
    [ids],
    { repeatable: true },
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

/** Some calls, and the id to ask on from: null where there are no more. */
export type CallPage = { readonly calls: readonly CallView[]; readonly nextBefore: string | null };

/**
 * An account's calls without their outputs, newest first, at most `limit`. Looks at no more than `LIMITS.pageScanRows`
 * of them, so a page may be short, even empty, and yet not the last one. Throws `invalid_input` for a `before` that is no
 * call of the account.
 */
export async function listCalls(db: Db, accountId: string, filter: CallFilter): Promise<CallPage> {
  const { state = null, slug = null, before = null, limit, idempotencyKey } = filter;
  if (before !== null)
    await checkCursor(db, "select from calls where id = $1 and account_id = $2", [before, accountId]);
  const matches = `($3::text is null or m.state = $3 or ($3 = 'running' and m.state = 'waiting'))
            and ($4::text is null or m.slug = $4)`;
  const pages =
    idempotencyKey === undefined ? "page_of_calls($1, $2, $6)" : "page_of_calls_with_key($1, $7, $2, $6)";
  const params = idempotencyKey === undefined ? [] : [idempotencyKey];
  const rows = await db.query<CallRow & { scanned: number; last_id: string }>(
    `with scanned as materialized (select c.id, c.state, c.slug, c.pool, c.priority from ${pages} c),
          matched as materialized (
            select m.* from scanned m where ${matches} order by m.id desc limit $5),
          waiting as materialized (
            select l.pool, l.priority,
                   array(select o.id from calls o
                          where o.pool = l.pool and o.account_id = $1 and o.priority = l.priority
                            and o.state = 'queued' and o.id <= l.last_id order by o.id) as ids
              from (select m.pool, m.priority, max(m.id) as last_id from matched m
                     where m.state = 'queued' group by 1, 2) l),
          seen as (select count(*)::integer as scanned, min(id) as last_id from scanned)
     select ${VIEW}, null as output, null as output_lz4, null as output_ref, seen.scanned, seen.last_id
       from seen left join lateral (
         select * from matched m) m on true
       left join lateral (select k.* from calls k where k.id = m.id limit 1) c on true
       ${joins(LISTED_PLACE)} order by c.id desc nulls last`,
    [accountId, before, state, slug, limit + 1, LIMITS.pageScanRows, ...params],
  );
  const calls = rows.filter(({ id }) => id !== null).map(toView);
  const shown = calls.slice(0, limit);
  const [first] = rows;
  if (calls.length > limit) return { calls: shown, nextBefore: shown.at(-1)?.id ?? null };
  const isCut = first !== undefined && first.scanned >= LIMITS.pageScanRows;
  return { calls: shown, nextBefore: isCut ? first.last_id : null };
}
