import pg from "pg";

/**
 * Gives an account `count` more calls that have ended, one for each second of the past: every hundredth failed, every
 * thousandth is of the capability `t-rare`, every fiftieth has a webhook; each with its entries and its output. Written
 * past the triggers, by the owner: that takes a moment where settling them would take minutes. The account has settled
 * nothing before. Gives the ids of the calls, oldest first.
 */
export async function makeHistory(url: string, account: string, count: number): Promise<string[]> {
  if (!/^acc_[0-9a-f]+$/.test(account) || !Number.isSafeInteger(count)) throw new Error("that is no history");
  // A session of its own, which tells the server at once what it has read: who counts reads later counts none of these.
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query(`
    begin;
    set local session_replication_role = replica;
    create temp table made on commit drop as
    select n, t.at, n % 100 = 0 as failed,
           'call_' || lpad(to_hex((extract(epoch from t.at) * 1000)::bigint), 12, '0') || '7'
             || substr(md5(n::text), 1, 19) as id
      from generate_series(1, ${count}) n
     cross join lateral (select clock_now() - (${count} - n + 1) * interval '1 second' as at) t;
    insert into calls (id, account_id, slug, version, pool, price, currency, state, max_attempts, timeout_ms, deadline_at,
                       events, input_sha256, output_sha256, error_code, error_message, webhook_url, created_at, started_at,
                       ended_at)
    select m.id, '${account}', case when m.n % 1000 = 0 then 't-rare' else 't-paid' end, '1.0.0', 'inline', 5, 'MESH',
           case when m.failed then 'failed' else 'succeeded' end, 3, 1000, m.at + interval '1 minute', 1, '\\x00',
           case when not m.failed then '\\x00'::bytea end, case when m.failed then 'internal_error' end,
           case when m.failed then 'It failed.' end, case when m.n % 50 = 0 then 'https://example.org/' end,
           m.at, m.at, m.at + interval '5 milliseconds'
      from made m order by m.n;
    insert into call_outputs (call_id, output) select m.id, '{"n":' || m.n || '}' from made m where not m.failed;
    insert into webhook_deliveries (call_id, account_id, status, next_at, attempts, last_status)
    select m.id, '${account}', 'delivered', null, 1, 200 from made m where m.n % 50 = 0;
    insert into ledger (account_id, currency, seq, kind, delta, balance_after, call_id, created_at)
    select b.account_id, b.currency, b.entries + row_number() over moves, e.kind, e.delta,
           b.amount + sum(e.delta) over moves, m.id, m.at
      from made m
     cross join lateral (select 'charge' as kind, -5 as delta union all select 'refund', 5 where m.failed) e
      join balances b on b.account_id = '${account}' and b.currency = 'MESH'
    window moves as (order by m.n, e.kind);
    update balances b set entries = l.seq, amount = l.balance_after
      from (select seq, balance_after from ledger where account_id = '${account}' and currency = 'MESH'
             order by seq desc limit 1) l
     where b.account_id = '${account}' and b.currency = 'MESH';
    commit`);
  const { rows } = await owner.query<{ id: string }>(
    "select id from calls where account_id = $1 and events = 1 order by id",
    [account],
  );
  await owner.query("select pg_stat_force_next_flush()");
  await owner.query("select 1");
  await owner.end();
  return rows.map(({ id }) => id);
}
