import { checkCursor, unknownCursor } from "../cursor.ts";
import type { Db } from "../db.ts";

/** A delivery as its account sees it. */
export type Delivery = {
  readonly id: string;
  readonly call_id: string;
  readonly url: string;
  readonly attempts: number;
  readonly status: "pending" | "delivered" | "failed";
  /** What the receiver answered last; null when it never did, or not the last time. */
  readonly last_status: number | null;
  /** When it is tried next; null when it has ended. */
  readonly next_at: Date | null;
};

/** A delivery that a sender holds. (`callId`, `attempts`) is the fence of its report. */
export type ClaimedDelivery = {
  readonly callId: string;
  readonly accountId: string;
  readonly attempts: number;
  readonly ageMs: number;
  readonly url: string;
  /** All that sign now, the newest first, as they are stored: sealed. */
  readonly sealedSecrets: readonly string[];
};

/** A call has one delivery at most, which takes its id from it: the same in each attempt, as a receiver expects. */
export const deliveryId = (callId: string): string => callId.replace(/^call_/, "dlv_");

function callOf(id: string): string {
  if (!id.startsWith("dlv_")) throw unknownCursor();
  return id.replace(/^dlv_/, "call_");
}

/**
 * An account's deliveries, newest call first, from before the delivery `before`. Throws `invalid_input` for a `before`
 * that is no delivery of the account.
 */
export async function listDeliveries(
  db: Db,
  accountId: string,
  page: { readonly before?: string | undefined; readonly limit: number },
): Promise<Delivery[]> {
  const before = page.before === undefined ? null : callOf(page.before);
  if (before !== null) {
    const lookUp = "select from webhook_deliveries where call_id = $1 and account_id = $2";
    await checkCursor(db, lookUp, [before, accountId]);
  }
  const rows = await db.query<Omit<Delivery, "id">>(
    `select d.call_id, c.webhook_url as url, d.attempts, d.status, d.last_status, d.next_at
       from page_of_deliveries($1, $2, $3) d
       left join lateral (select k.webhook_url from calls k where k.id = d.call_id limit 1) c on true
      order by d.call_id desc`,
    [accountId, before, page.limit],
  );
  return rows.map((row) => ({ id: deliveryId(row.call_id), ...row }));
}

/** Among how many of the longest due the claim looks for accounts to be fair to. */
const CLAIM_WINDOW = 1_000;

/**
 * Takes up to `count` deliveries that are due. No account gets more than `perAccount` with those that the sender holds
 * for it already (`held`), so that one whose receiver hangs does not hold up the others. A claim counts as an attempt,
 * and lasts `leaseMs`.
 */
export async function claimDeliveries(
  db: Db,
  claim: {
    readonly count: number;
    readonly perAccount: number;
    readonly held: ReadonlyMap<string, number>;
    readonly leaseMs: number;
  },
): Promise<ClaimedDelivery[]> {
  const rows = await db.query<{
    call_id: string;
    account_id: string;
    attempts: number;
    age_ms: number;
    url: string;
    secrets: string[];
  }>(
    `with due as (
       select d.call_id, d.next_at,
              row_number() over (partition by d.account_id order by d.next_at) + coalesce(h.held, 0) as nth
         from (select call_id, account_id, next_at from webhook_deliveries
                where status = 'pending' and next_at <= (select clock_now()) and account_id <> all ($4)
                order by next_at limit ${CLAIM_WINDOW}) d
         left join unnest($5::text[], $6::integer[]) h(account_id, held) on h.account_id = d.account_id
     ), taken as (
       select d.call_id from webhook_deliveries d join due on due.call_id = d.call_id
        where due.nth <= $2 and d.status = 'pending' and d.next_at <= clock_now()
        order by due.nth, due.next_at limit $1 for update of d skip locked
     )
     update webhook_deliveries d
        set attempts = d.attempts + 1, next_at = clock_now() + $3 * interval '1 ms'
       from taken join calls c on c.id = taken.call_id
      where d.call_id = taken.call_id
     returning d.call_id, d.account_id, d.attempts, c.webhook_url as url,
               extract(epoch from clock_now() - d.created_at) * 1000 as age_ms,
               array(select s.secret from webhook_secrets s
                      where s.account_id = d.account_id
                        and (s.retires_at is null or s.retires_at > clock_now())
                      order by s.id desc) as secrets`,
    [
      claim.count,
      claim.perAccount,
      claim.leaseMs,
      [...claim.held].filter(([, held]) => held >= claim.perAccount).map(([accountId]) => accountId),
      [...claim.held.keys()],
      [...claim.held.values()],
    ],
  );
  return rows.map((row) => ({
    callId: row.call_id,
    accountId: row.account_id,
    attempts: row.attempts,
    ageMs: row.age_ms,
    url: row.url,
    sealedSecrets: row.secrets,
  }));
}

/** How an attempt went: answered with `status`, or not at all (null). `pauseMs` null: no further one. */
export type AttemptReport = {
  readonly delivered: boolean;
  readonly status: number | null;
  readonly pauseMs: number | null;
};

/** Notes how an attempt went. One whose lease ran out and that another sender holds since then is not noted. */
export async function reportAttempt(
  db: Db,
  { callId, attempts }: ClaimedDelivery,
  { delivered, status, pauseMs }: AttemptReport,
): Promise<void> {
  const state = delivered ? "delivered" : pauseMs === null ? "failed" : "pending";
  await db.query(
    `update webhook_deliveries
        set status = $3, last_status = $4,
            next_at = case when $3 = 'pending' then clock_now() + $5::integer * interval '1 ms' end
      where call_id = $1 and attempts = $2 and status = 'pending'`,
    [callId, attempts, state, status, pauseMs],
    { repeatable: true },
  );
}
