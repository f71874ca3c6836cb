-- The one place where a call becomes final; what was part of a run is mailed to it. The caller has locked the rows in the
-- order of their ids.
-- Everything but success gives the price back, as a new entry and to the key's spend limit.
create or replace function finish_calls(p_ends call_end[], p_outputs bytea) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at timestamptz := clock_now();
  shifts lane_shift[];
begin
  select array_agg(row (c.pool, c.account_id, c.priority, -(c.state = 'queued')::int, -(c.state = 'running')::int)::lane_shift)
    into shifts from calls c where c.id = any (array(select e.id from unnest(p_ends) e));
  with ended as (
    update calls c
       set state = e.state,
           output_sha256 = decode(e.output_sha256, 'hex'),
           error_code = e.error_code, error_message = e.error_message,
           input_fault = coalesce(e.input_fault, false), tokens_prompt = e.tokens_prompt,
           tokens_completion = e.tokens_completion, input = null, events = c.events + 1, ended_at = at,
           lease_until = null
      from unnest(p_ends) e where c.id = e.id and c.id = any (array(select f.id from unnest(p_ends) f))
    returning c.id, c.account_id, c.webhook_url, c.parent_id
  ), mailed as (
    insert into run_mail (run_id, call_id, kind, created_at)
    select n.parent_id, n.id, 'ended', at from ended n where n.parent_id is not null
  )
  insert into webhook_deliveries (call_id, account_id)
  select n.id, n.account_id from ended n where n.webhook_url is not null;
  insert into call_outputs (call_id, output, output_lz4, output_ref)
  select e.id, output_of(p_outputs, e.output_at, e.output_bytes),
         output_lz4_of(p_outputs, e.output_lz4_at, e.output_lz4_bytes), e.output_ref
    from unnest(p_ends) e where e.state = 'succeeded';

  if exists (select from unnest(p_ends) e where e.state <> 'succeeded') then
    perform from balances b
      where (b.account_id, b.currency) in (
        select c.account_id, c.currency from calls c join unnest(p_ends) e on e.id = c.id
         where e.state <> 'succeeded' and c.price > 0)
      order by b.account_id, b.currency for update;
    with owed as materialized (
      select c.id, c.account_id, c.currency, c.price,
             b.entries + row_number() over lane as seq, b.amount + sum(c.price) over lane as after
        from calls c join unnest(p_ends) e on e.id = c.id
        join balances b on b.account_id = c.account_id and b.currency = c.currency
       where e.state <> 'succeeded' and c.price > 0
      window lane as (partition by c.account_id, c.currency order by c.id)
    ), credited as (
      update balances b set amount = o.after, entries = o.seq
        from (select account_id, currency, max(after) as after, max(seq) as seq from owed group by 1, 2) o
       where b.account_id = o.account_id and b.currency = o.currency
    )
    insert into ledger (account_id, currency, seq, kind, delta, balance_after, call_id, created_at)
    select o.account_id, o.currency, o.seq, 'refund', o.price, o.after, o.id, at from owed o;
    update key_spend s set spent = s.spent - o.price
      from (select c.key_id, c.spend_window, sum(c.price) as price
              from calls c join unnest(p_ends) e on e.id = c.id
             where e.state <> 'succeeded' and c.spend_window is not null group by 1, 2) o
     where s.key_id = o.key_id and s.window_start = o.spend_window;
  end if;
  if exists (select from unnest(p_ends) e where e.effects is not null) then
    perform apply_effects(array(
      select row (e.id, c.account_id, x.effect ->> 'kind', x.effect -> 'data')::call_effect
        from unnest(p_ends) e join calls c on c.id = e.id
       cross join lateral jsonb_array_elements(e.effects) with ordinality x(effect, nth)
       where e.state = 'succeeded'
       order by c.account_id, e.id, x.nth));
  end if;
  perform shift_lanes(shifts);
  insert into capability_counts as n (slug, shard, calls, calls_external, recent)
  select c.slug, pg_backend_pid() % 32, 0, 0, (array_agg(e.counted))[1:50]
    from unnest(p_ends) p
    cross join lateral (select k.* from calls k where k.id = p.id limit 1) c
    cross join lateral (select x.provider_id is not distinct from c.account_id as own
                          from capabilities x where x.slug = c.slug limit 1) s
    cross join lateral (select counted_end(c.state, c.started_at is not null, c.input_fault, s.own, at) as counted) e
   where e.counted is not null and c.parent_id is null -- what runs do is not what callers find
   group by 1 order by 1
  on conflict (slug, shard) do update set recent = (excluded.recent || n.recent)[1:50];
end $$;
