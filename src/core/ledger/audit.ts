import type { Db } from "../db.ts";

export type AuditCheck = { readonly id: string; readonly name: string; readonly violations: number };

/** Each invariant as the query that counts what breaks it. Grows with history: an operator's tool, not a request's. */
const INVARIANTS: readonly { readonly id: string; readonly name: string; readonly sql: string }[] = [
  {
    id: "I1",
    name: "a balance is the sum of its account's deltas",
    sql: `select count(*) from balances b
          left join (select account_id, currency, sum(delta) as total, count(*) as entries from ledger group by 1, 2) l
            using (account_id, currency)
          where b.amount <> coalesce(l.total, 0) or b.entries <> coalesce(l.entries, 0)`,
  },
  {
    id: "I2",
    name: "each entry continues the one before",
    sql: `select count(*) from (
            select balance_after, delta,
                   lag(balance_after, 1, 0::bigint) over (partition by account_id, currency order by seq) as before
              from ledger) l
          where before + delta <> balance_after`,
  },
  {
    id: "I3",
    name: "no gap in an account's sequence",
    sql: `select count(*) from (
            select seq, row_number() over (partition by account_id, currency order by seq) as expected from ledger) l
          where seq <> expected`,
  },
  {
    id: "I4",
    name: "no negative balance",
    sql: `select (select count(*) from balances where amount < 0) + (select count(*) from ledger where balance_after < 0)
          as count`,
  },
  {
    id: "I5",
    name: "no call is stuck past its deadline",
    sql: `select count(*) from calls where ended_at is null and deadline_at < clock_now() - interval '5 seconds'`,
  },
  {
    id: "I6",
    name: "each call has exactly one charge, of its price",
    sql: `select count(*) from calls c
          left join (select call_id, count(*) as n, sum(delta) as paid from ledger where kind = 'charge' group by 1) l
            on l.call_id = c.id
          where coalesce(l.n, 0) <> (c.price > 0)::int or coalesce(-l.paid, 0) <> c.price`,
  },
  {
    id: "I7",
    name: "each call that failed, was cancelled or expired has exactly one refund, of its price",
    sql: `select count(*) from calls c
          left join (select call_id, count(*) as n, sum(delta) as paid from ledger where kind = 'refund' group by 1) l
            on l.call_id = c.id
          where c.state in ('failed', 'cancelled', 'expired')
            and (coalesce(l.n, 0) <> (c.price > 0)::int or coalesce(l.paid, 0) <> c.price)`,
  },
  {
    id: "I8",
    name: "no call that succeeded, waits or runs has a refund",
    sql: `select count(*) from calls c join ledger l on l.call_id = c.id and l.kind = 'refund'
          where c.state in ('succeeded', 'queued', 'running', 'waiting')`,
  },
  {
    id: "I9",
    name: "no entry without its call or account",
    sql: `select count(*) from ledger l
          left join calls c on c.id = l.call_id
          left join balances b on b.account_id = l.account_id and b.currency = l.currency
          where b.account_id is null or (l.call_id is not null and c.id is null)
             or (l.kind in ('charge', 'refund') and (c.account_id <> l.account_id or c.currency <> l.currency))`,
  },
  {
    id: "I10",
    name: "the events of a call have no gap, and exactly one is the last",
    sql: `select count(*) from calls c
          full join (
            select stream_id, count(*) as n, max(seq) as top, min(seq) as bottom,
                   count(*) filter (where type in ('completed', 'failed')) as lasts,
                   max(seq) filter (where type in ('completed', 'failed')) as last
              from events group by 1) e on e.stream_id = c.id
          cross join retention r
          cross join lateral (
            -- Of the first and the last, what is not stored is told from the call's row.
            select (c.ended_at is not null and e.top is distinct from c.events)::int as ends,
                   (e.bottom is distinct from 1 and not (c.ended_at is not null and c.events = 1))::int as starts) told
          where c.id is null
             or (not coalesce(c.ended_at < r.kept_from or (c.ended_at is not null and c.id < r.kept_from_id), false)
                 and (coalesce(e.n, 0) + told.starts + told.ends <> c.events
                      or e.top > c.events or (e.n > 0 and e.top - e.bottom + 1 <> e.n)
                      or coalesce(e.lasts, 0) + told.ends <> (c.ended_at is not null)::int
                      or (e.lasts > 0 and e.last <> e.top)))`,
  },
  {
    id: "I11",
    name: "the lanes count what waits and runs",
    sql: `select count(*) from (
            select pool, account_id, priority, count(*) filter (where state = 'queued') as queued,
                   count(*) filter (where state = 'running') as running
              from calls where state in ('queued', 'running') group by 1, 2, 3) c
          full join lanes l using (pool, account_id, priority)
          where coalesce(c.queued, 0) <> coalesce(l.queued, 0) or coalesce(c.running, 0) <> coalesce(l.running, 0)`,
  },
  {
    id: "I12",
    name: "a key has spent what its calls cost and were not refunded",
    sql: `select count(*) from key_spend s
          full join (select key_id, spend_window, sum(price) as spent from calls
                      where spend_window is not null and state in ('queued', 'running', 'waiting', 'succeeded') group by 1, 2) c
            on c.key_id = s.key_id and c.spend_window = s.window_start
          where coalesce(s.spent, 0) <> coalesce(c.spent, 0)`,
  },
  {
    id: "I13",
    name: "each call with a webhook has a delivery exactly when it has ended, and no other call has one",
    sql: `select count(*) from calls c full join webhook_deliveries d on d.call_id = c.id
          where (d.call_id is not null) <> (c.webhook_url is not null and c.ended_at is not null)
             or d.account_id <> c.account_id`,
  },
  {
    id: "I14",
    name: "each memory was stored by a call of its own account that succeeded",
    sql: `select count(*) from memories m left join calls c on c.id = m.call_id
          where m.call_id is not null
            and (c.id is null or c.state <> 'succeeded' or c.account_id <> m.account_id)`,
  },
  {
    id: "I15",
    name: "each call that succeeded has its output while results are kept, and no other call has one",
    sql: `select count(*) from calls c
          full join call_outputs o on o.call_id = c.id
          cross join retention r
          where c.id is null
             or ((c.state = 'succeeded') <> (o.call_id is not null)
                 and (c.state <> 'succeeded' or not (c.ended_at < r.kept_from or c.id < r.kept_from_id)))`,
  },
  {
    id: "I16",
    name: "a run has ended exactly when its call has, and each call that waits has a run",
    sql: `select count(*) from calls c full join runs r on r.id = c.id
          where (r.id is not null and (c.id is null or (c.ended_at is null) <> (r.ended_at is null)))
             or (c.state = 'waiting' and r.id is null)`,
  },
  {
    id: "I17",
    name: "each node has one call, of its own run and at no price, that went as the node says",
    sql: `select (select count(*) from run_nodes n left join calls c on c.id = n.call_id
                   where n.call_id is not null
                     and (c.parent_id is distinct from n.run_id or c.slug <> n.slug or c.price <> 0
                          or (n.state = 'succeeded' and c.state <> 'succeeded')
                          or (n.state = 'failed' and c.state not in ('failed', 'cancelled', 'expired'))))
               + (select count(*) from calls c join runs r on r.id = c.parent_id
                   where (select count(*) from run_nodes n where n.call_id = c.id) <> 1) as count`,
  },
  {
    id: "I18",
    name: "a run counts its nodes, and none is open when it has ended",
    sql: `select count(*) from runs r
          left join (select run_id, count(*) as nodes, count(*) filter (where state in ('waiting', 'started')) as open
                       from run_nodes group by 1) n on n.run_id = r.id
          where r.nodes <> coalesce(n.nodes, 0) or r.open <> coalesce(n.open, 0)
             or (r.ended_at is not null and r.open > 0)`,
  },
  {
    id: "I19",
    name: "no mail of a run lies unused, and none is lost",
    sql: `select (select count(*) from run_mail where created_at < clock_now() - interval '10 seconds')
               + (select count(*) from run_nodes n join calls c on c.id = n.call_id
                   where n.state = 'started' and c.ended_at is not null
                     and not exists (select from run_mail m where m.run_id = n.run_id and m.call_id = n.call_id)) as count`,
  },
];

/** Checks every money and call invariant, in one statement and so in one snapshot, also while calls are under way. */
export async function audit(db: Db): Promise<{ ok: boolean; checks: AuditCheck[] }> {
  const sql = INVARIANTS.map(({ id, sql }) => `select '${id}' as id, (${sql})::integer as violations`).join(
    " union all ",
  );
  const rows = await db.query<{ id: string; violations: number }>(sql);
  const violations = new Map(rows.map((row) => [row.id, row.violations]));
  const checks = INVARIANTS.map(({ id, name }) => ({ id, name, violations: violations.get(id) ?? 0 }));
  return { ok: checks.every((check) => check.violations === 0), checks };
}
