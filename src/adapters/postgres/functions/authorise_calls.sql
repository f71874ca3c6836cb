-- Says of a list of calls whether settle_calls would take them now: one read, which locks and changes nothing.
-- Verdicts, in the order in which they are found: unauthorized, replayed (call_id is the first call), mismatch, quarantined,
-- spend_limit_reached, insufficient_funds, payable. The balance is the account's, in the call's currency; spend_left is
-- what the key's limit still lets through, null where it has none.
create or replace function authorise_calls(p_items jsonb)
returns table (ord integer, verdict text, call_id text, balance bigint, spend_left bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select i.ord,
         case when k.ended then 'unauthorized'
              when idem.call_id is not null and idem.request_sha256 = decode(i.request_sha256, 'hex') then 'replayed'
              when idem.call_id is not null then 'mismatch'
              when c.active is not true then 'quarantined'
              when k.left_amount < i.price then 'spend_limit_reached'
              when b.amount is null or b.amount < i.price then 'insufficient_funds'
              else 'payable' end,
         idem.call_id, b.amount, k.left_amount
    from jsonb_to_recordset(p_items)
      as i(ord integer, account_id text, key_id text, slug text, price bigint, currency text, idempotency_key text,
           request_sha256 text)
    left join lateral (select x.active from capabilities x where x.slug = i.slug limit 1) c on true
    left join lateral (select x.amount from balances x
                        where x.account_id = i.account_id and x.currency = i.currency limit 1) b on true
    left join lateral (select x.revoked_at is not null or x.expires_at <= clock_now() as ended,
                              case when x.limit_currency = i.currency then x.limit_amount - coalesce((
                                select s.spent from key_spend s
                                 where s.key_id = x.id and s.window_start = spend_window(x.limit_period, clock_now())
                                 limit 1), 0) end as left_amount
                         from api_keys x where x.id = i.key_id limit 1) k on true
    left join lateral (select x.call_id, x.request_sha256 from idempotency_keys x
                        where x.account_id = i.account_id and x.key = i.idempotency_key
                          and x.created_at > clock_now() - interval '24 hours' limit 1) idem on true
$$;
