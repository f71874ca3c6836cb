-- The only functions that move calls and their money. Each takes a list, locks in one order (calls by id, then
-- balances by account, then lanes), and RETURNS its verdicts: a raised error costs a connection and a batch.
-- What belongs to an item is looked up in a subquery of its own (lateral, limit 1) and not joined: a connection keeps
-- plans that were made while the tables were nearly empty, and a join planned then would read whole tables for good.

-- Settles a list of calls: charge, call row, first events and place in the queue, in this one transaction. A call that
-- has run already (the inline pool) comes with its outcome and is final at once.
-- The caller chose the ids, so a list whose answer was lost with a connection may be sent again: what was settled then
-- is accepted and not charged twice.
-- Verdicts: accepted; replayed (call_id is the first call), mismatch, again (the same key stands twice in this list);
-- quarantined, spend_limit_reached, insufficient_funds, queue_full: nothing of it is kept.
-- The outputs come beside the items, one after the other, and each item says which bytes are its own: in the items they
-- would have to be quoted and read twice, and every statement over the items would carry them along.
create type settle_item as (
  ord integer, id text, account_id text, key_id text, slug text, version text, pool text, priority integer,
  price bigint, currency text, state text, max_attempts integer, timeout_ms integer, deadline_ms integer,
  input text, input_sha256 text, output_at integer, output_bytes integer, output_lz4_at integer, output_lz4_bytes integer,
  output_ref text, output_sha256 text,
  error_code text, error_message text, input_fault boolean, effects jsonb, tokens_prompt integer, tokens_completion integer,
  idempotency_key text, request_sha256 text, started_ms_ago integer, webhook_url text
);

create type call_effect as (call_id text, account_id text, kind text, data jsonb);

-- Makes the changes that calls leave behind when they succeed, in the transaction in which they end: each effect has a
-- kind, and a function effect_<kind>(call, account, data) that knows it. The kinds follow one another in the order of
-- their names, and the effects of one kind in the order of the list. Such a function locks its rows in one order, and
-- does not raise: it would take the other calls of the list with it.
create function apply_effects(p_effects call_effect[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  k text;
begin
  for k in select distinct e.kind from unnest(p_effects) e order by 1 loop
    execute format('select %I(e.call_id, e.account_id, e.data) from unnest($1) e where e.kind = $2', 'effect_' || k)
      using p_effects, k;
  end loop;
end $$;

-- The first day of the window of a spend limit's period.
create function spend_window(p_period text, p_at timestamptz) returns date language sql stable as $$
  select case p_period
    when 'day' then (p_at at time zone 'UTC')::date
    when 'month' then date_trunc('month', p_at at time zone 'UTC')::date
    when 'total' then date '1970-01-01'
  end
$$;

-- One output among the others; null for a call that has none of that form.
create function output_of(p_outputs bytea, p_at integer, p_bytes integer) returns text language sql immutable as $$
  select convert_from(substring(p_outputs from p_at + 1 for p_bytes), 'UTF8')
$$;

create function output_lz4_of(p_outputs bytea, p_at integer, p_bytes integer) returns bytea language sql immutable as $$
  select substring(p_outputs from p_at + 1 for p_bytes)
$$;

create function settle_calls(p_items jsonb, p_outputs bytea, p_max_queued integer)
returns table (ord integer, verdict text, call_id text, balance bigint, created_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  items settle_item[];
  hooked boolean;
  keyed boolean;
  queued boolean;
  effective boolean;
  at timestamptz;
  r record;
  held_account text := '';
  held_currency text := '';
  held bigint;
  seq bigint;
  waiting bigint;
  spent_already bigint;
  taken integer[] := '{}';
  windows date[] := '{}';
  entry_account text[] := '{}';
  entry_currency text[] := '{}';
  entry_seq bigint[] := '{}';
  entry_kind text[] := '{}';
  entry_delta bigint[] := '{}';
  entry_after bigint[] := '{}';
  entry_call text[] := '{}';
begin
  select array_agg(i), bool_or(i.webhook_url is not null), bool_or(i.idempotency_key is not null), bool_or(i.state = 'queued'),
         bool_or(i.effects is not null)
    into items, hooked, keyed, queued, effective
    from jsonb_populate_recordset(null::settle_item, p_items) i;
  perform from balances b where b.account_id = any (array(select i.account_id from unnest(items) i))
    order by b.account_id, b.currency for update;
  at := clock_timestamp();

  for r in
    select i.ord, i.id, i.account_id, i.currency, i.price, i.state, i.key_id, i.idempotency_key,
           b.amount, b.entries, idem.call_id as first_call, idem.request_sha256 = decode(i.request_sha256, 'hex') as same,
           done.created_at as done_at, coalesce(c.active, false) as active, k.limit_amount, k.limit_currency,
           spend_window(k.limit_period, at) as window_start,
           row_number() over (partition by i.account_id, i.idempotency_key order by i.ord) as nth,
           case when i.state = 'queued' then
             (select coalesce(sum(l.queued), 0) from lanes l where l.account_id = i.account_id)
           end as waiting
      from unnest(items) i
      left join lateral (select h.amount, h.entries from balances h
                          where h.account_id = i.account_id and h.currency = i.currency limit 1) b on true
      left join lateral (select x.active from capabilities x where x.slug = i.slug limit 1) c on true
      left join lateral (select x.limit_amount, x.limit_currency, x.limit_period from api_keys x
                          where x.id = i.key_id and x.limit_currency = i.currency limit 1) k on true
      left join lateral (select x.created_at from calls x where x.id = i.id limit 1) done on true
      left join lateral (select x.call_id, x.request_sha256 from idempotency_keys x
                          where x.account_id = i.account_id and x.key = i.idempotency_key
                            and x.created_at > at - interval '24 hours' limit 1) idem on true
     order by i.account_id, i.currency, i.ord
  loop
    if r.account_id <> held_account or r.currency <> held_currency then
      if r.account_id <> held_account then waiting := r.waiting; end if;
      held_account := r.account_id;
      held_currency := r.currency;
      held := r.amount;
      seq := r.entries;
    end if;
    waiting := coalesce(waiting, r.waiting);
    ord := r.ord;
    call_id := r.id;
    created_at := at;
    balance := held;
    if r.done_at is not null then
      verdict := 'accepted';
      created_at := r.done_at;
      return next;
      continue;
    elsif r.idempotency_key is not null and r.nth > 1 then
      verdict := 'again';
    elsif r.first_call is not null then
      verdict := case when r.same then 'replayed' else 'mismatch' end;
      call_id := r.first_call;
    elsif not r.active then
      verdict := 'quarantined';
    else
      verdict := 'accepted';
      if r.limit_amount is not null then
        select s.spent into spent_already from key_spend s
         where s.key_id = r.key_id and s.window_start = r.window_start;
        if coalesce(spent_already, 0) + r.price > r.limit_amount then verdict := 'spend_limit_reached'; end if;
      end if;
      if verdict = 'accepted' then
        if held is null or held < r.price then
          verdict := 'insufficient_funds';
        elsif r.state = 'queued' and waiting >= p_max_queued then
          verdict := 'queue_full';
        end if;
      end if;
    end if;
    if verdict = 'accepted' then
      if r.limit_amount is not null and r.price > 0 and r.state not in ('failed', 'expired') then
        insert into key_spend as s (key_id, window_start, spent) values (r.key_id, r.window_start, r.price)
          on conflict (key_id, window_start) do update set spent = s.spent + excluded.spent;
      end if;
      taken := taken || r.ord;
      windows := windows || r.window_start;
      if r.state = 'queued' then waiting := waiting + 1; end if;
      if r.price > 0 then
        seq := seq + 1;
        held := held - r.price;
        entry_account := entry_account || r.account_id;
        entry_currency := entry_currency || r.currency;
        entry_seq := entry_seq || seq;
        entry_kind := entry_kind || 'charge'::text;
        entry_delta := entry_delta || -r.price;
        entry_after := entry_after || held;
        entry_call := entry_call || r.id;
        if r.state in ('failed', 'expired') then
          seq := seq + 1;
          held := held + r.price;
          entry_account := entry_account || r.account_id;
          entry_currency := entry_currency || r.currency;
          entry_seq := entry_seq || seq;
          entry_kind := entry_kind || 'refund'::text;
          entry_delta := entry_delta || r.price;
          entry_after := entry_after || held;
          entry_call := entry_call || r.id;
        end if;
        balance := held;
      end if;
    end if;
    return next;
  end loop;
  if cardinality(taken) = 0 then return; end if;

  update balances b set amount = t.after, entries = t.seq
    from (select distinct on (e.account, e.currency) e.account, e.currency, e.seq, e.after
            from unnest(entry_account, entry_currency, entry_seq, entry_after) e(account, currency, seq, after)
           order by e.account, e.currency, e.seq desc) t
   where b.account_id = t.account and b.currency = t.currency;
  insert into calls (id, account_id, key_id, slug, version, pool, priority, price, currency, state, max_attempts,
                     timeout_ms, deadline_at, events, input, input_sha256, output, output_lz4, output_ref, output_sha256,
                     error_code, error_message, input_fault, tokens_prompt, tokens_completion, idempotency_key,
                     webhook_url, spend_window, created_at, started_at, ended_at)
  select i.id, i.account_id, i.key_id, i.slug, i.version, i.pool, i.priority, i.price, i.currency, i.state,
         i.max_attempts, i.timeout_ms, at + i.deadline_ms * interval '1 ms', 1, i.input,
         decode(i.input_sha256, 'hex'), output_of(p_outputs, i.output_at, i.output_bytes),
         output_lz4_of(p_outputs, i.output_lz4_at, i.output_lz4_bytes), i.output_ref, decode(i.output_sha256, 'hex'),
         i.error_code, i.error_message, coalesce(i.input_fault, false), i.tokens_prompt, i.tokens_completion,
         i.idempotency_key, i.webhook_url, t.window_start, at,
         case when i.state <> 'queued' then at - coalesce(i.started_ms_ago, 0) * interval '1 ms' end,
         case when i.state <> 'queued' then at end
    from unnest(taken, windows) t(ord, window_start) join unnest(items) i on i.ord = t.ord;
  if effective then
    perform apply_effects(array(
      select row (i.id, i.account_id, x.effect ->> 'kind', x.effect -> 'data')::call_effect
        from unnest(items) i cross join lateral jsonb_array_elements(i.effects) with ordinality x(effect, nth)
       where i.ord = any (taken) and i.state = 'succeeded'
       order by i.account_id, i.ord, x.nth));
  end if;
  if hooked then
    insert into webhook_deliveries (call_id, account_id)
    select i.id, i.account_id from unnest(items) i
     where i.ord = any (taken) and i.state <> 'queued' and i.webhook_url is not null;
  end if;
  insert into ledger (account_id, currency, seq, kind, delta, balance_after, call_id, created_at)
  select e.*, at
    from unnest(entry_account, entry_currency, entry_seq, entry_kind, entry_delta, entry_after, entry_call) e;
  insert into call_events (call_id, seq, type, data)
  select i.id, 1,
         case i.state when 'queued' then 'status' when 'succeeded' then 'completed' else 'failed' end,
         case when i.state = 'queued' then '{"status":"queued"}' end
    from unnest(items) i where i.ord = any (taken);
  if keyed then
    insert into idempotency_keys (account_id, key, call_id, request_sha256, created_at)
    select i.account_id, i.idempotency_key, i.id, decode(i.request_sha256, 'hex'), at
      from unnest(items) i where i.ord = any (taken) and i.idempotency_key is not null
     order by i.account_id, i.idempotency_key
    on conflict (account_id, key) do update
      set call_id = excluded.call_id, request_sha256 = excluded.request_sha256, created_at = excluded.created_at;
  end if;
  if queued then
    insert into lanes as l (pool, account_id, priority, queued, head_at)
    select i.pool, i.account_id, i.priority, count(*), at
      from unnest(items) i where i.ord = any (taken) and i.state = 'queued'
     group by 1, 2, 3 order by 1, 2, 3
    on conflict (pool, account_id, priority) do update
      set queued = l.queued + excluded.queued,
          head_at = case when l.queued = 0 then excluded.head_at else l.head_at end;
  end if;
  insert into capability_counts as n (slug, shard, calls, calls_external)
  select i.slug, pg_backend_pid() % 32, count(*), count(*) filter (where c.provider_id is distinct from i.account_id)
    from unnest(items) i
    cross join lateral (select x.provider_id from capabilities x where x.slug = i.slug limit 1) c
   where i.ord = any (taken)
   group by 1 order by 1
  on conflict (slug, shard) do update
    set calls = n.calls + excluded.calls, calls_external = n.calls_external + excluded.calls_external;
end $$;

create type lane_shift as (pool text, account_id text, priority integer, queued integer, running integer);

-- Gives a worker up to p_slots of the calls that wait in a pool: by priority, then from the account with the fewest
-- running, then by age. Claims of one pool follow one another, so that two workers never both see the same account as
-- the least served. (attempt, worker) is the fence of every later report.
create function claim_calls(p_pool text, p_slots integer, p_worker text, p_lease_ms integer)
returns table (id text, account_id text, slug text, version text, attempt integer, input text, timeout_ms integer,
               left_ms integer, waited_ms integer)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ids text[];
  shifts lane_shift[];
  at timestamptz;
begin
  perform pg_advisory_xact_lock(hashtext('meshforge.claim'), hashtext(p_pool));
  at := clock_timestamp();
  with shares as (
    select l.account_id, l.priority, l.queued, l.head_at,
           sum(l.running) over (partition by l.account_id) as running
      from lanes l where l.pool = p_pool
  ), turns as (
    select s.account_id, s.priority
      from shares s cross join lateral generate_series(1, least(s.queued, p_slots)) nth
     order by s.priority desc, s.running + nth, s.head_at limit p_slots
  )
  select array_agg(c.id), array_agg(row (p_pool, t.account_id, t.priority, -1, 1)::lane_shift) into ids, shifts
    from (select t.account_id, t.priority, count(*) as turns from turns t group by 1, 2) t
    cross join lateral (
      select q.id from calls q
       where q.pool = p_pool and q.account_id = t.account_id and q.priority = t.priority and q.state = 'queued'
       order by q.id limit t.turns for update skip locked
    ) c;
  if ids is null then return; end if;
  return query
    with taken as (
      update calls c
         set state = 'running', attempt = c.attempt + 1, worker = p_worker, events = c.events + 1,
             lease_until = at + p_lease_ms * interval '1 ms',
             run_until = least(at + c.timeout_ms * interval '1 ms', c.deadline_at),
             started_at = coalesce(c.started_at, at)
       where c.id = any (ids)
      returning c.*
    ), told as (
      insert into call_events (call_id, seq, type, data)
      select t.id, t.events, 'status', '{"status":"running","attempt":' || t.attempt || '}' from taken t
    )
    select t.id, t.account_id, t.slug, t.version, t.attempt, t.input, t.timeout_ms,
           (extract(epoch from t.run_until - at) * 1000)::integer,
           (extract(epoch from at - t.created_at) * 1000)::integer
      from taken t;
  perform shift_lanes(shifts);
end $$;

-- Moves counts between the waiting and the running of lanes that exist, and looks up who waits longest in them.
create function shift_lanes(p_shifts lane_shift[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  s record;
begin
  for s in
    select x.pool, x.account_id, x.priority, sum(x.queued)::int as queued, sum(x.running)::int as running
      from unnest(p_shifts) x group by 1, 2, 3 order by 1, 2, 3
  loop
    update lanes l
       set queued = l.queued + s.queued, running = l.running + s.running,
           head_at = case when s.queued = 0 then l.head_at else coalesce((
             select c.created_at from calls c
              where c.pool = l.pool and c.account_id = l.account_id and c.priority = l.priority and c.state = 'queued'
              order by c.id limit 1), l.head_at) end
     where l.pool = s.pool and l.account_id = s.account_id and l.priority = s.priority;
  end loop;
end $$;

-- The one place where a queued or running call becomes final. The caller has locked the rows in the order of their ids.
-- Everything but success gives the price back, as a new entry and to the key's spend limit.
create type call_end as (
  ord integer, id text, attempt integer, worker text, state text, output_at integer, output_bytes integer,
  output_lz4_at integer, output_lz4_bytes integer, output_ref text, output_sha256 text,
  error_code text, error_message text, input_fault boolean, effects jsonb, tokens_prompt integer, tokens_completion integer
);

-- An end that the platform itself decides.
create function end_without_output(p_id text, p_state text, p_code text, p_message text) returns call_end
language sql immutable as $$
  select e from jsonb_populate_record(null::call_end, jsonb_build_object(
    'id', p_id, 'state', p_state, 'error_code', p_code, 'error_message', p_message, 'input_fault', false)) e
$$;

create function finish_calls(p_ends call_end[], p_outputs bytea) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at timestamptz := clock_timestamp();
  shifts lane_shift[];
begin
  select array_agg(row (c.pool, c.account_id, c.priority, -(c.state = 'queued')::int, -(c.state = 'running')::int)::lane_shift)
    into shifts from calls c where c.id = any (array(select e.id from unnest(p_ends) e));
  with ended as (
    update calls c
       set state = e.state, output = output_of(p_outputs, e.output_at, e.output_bytes),
           output_lz4 = output_lz4_of(p_outputs, e.output_lz4_at, e.output_lz4_bytes),
           output_ref = e.output_ref,
           output_sha256 = decode(e.output_sha256, 'hex'),
           error_code = e.error_code, error_message = e.error_message,
           input_fault = coalesce(e.input_fault, false), tokens_prompt = e.tokens_prompt,
           tokens_completion = e.tokens_completion, input = null, events = c.events + 1, ended_at = at,
           lease_until = null
      from unnest(p_ends) e where c.id = e.id and c.id = any (array(select f.id from unnest(p_ends) f))
    returning c.id, c.account_id, c.state, c.events, c.webhook_url
  ), told as (
    insert into call_events (call_id, seq, type)
    select n.id, n.events, case n.state when 'succeeded' then 'completed' else 'failed' end from ended n
  )
  insert into webhook_deliveries (call_id, account_id)
  select n.id, n.account_id from ended n where n.webhook_url is not null;

  if exists (select from unnest(p_ends) e where e.effects is not null) then
    perform apply_effects(array(
      select row (e.id, c.account_id, x.effect ->> 'kind', x.effect -> 'data')::call_effect
        from unnest(p_ends) e join calls c on c.id = e.id
       cross join lateral jsonb_array_elements(e.effects) with ordinality x(effect, nth)
       where e.state = 'succeeded'
       order by c.account_id, e.id, x.nth));
  end if;
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
  perform shift_lanes(shifts);
end $$;

-- A worker reports the ends of what it ran. Verdict `stale`: the worker no longer holds that attempt, and what it
-- brings is dropped. The outputs come as in settle_calls.
create function end_calls(p_ends jsonb, p_outputs bytea) returns table (id text, verdict text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ends call_end[];
  fenced call_end[];
begin
  select array_agg(e) into ends from jsonb_populate_recordset(null::call_end, p_ends) e;
  with locked as materialized (
    select c.id, c.state, c.attempt, c.worker from calls c
     where c.id = any (array(select e.id from unnest(ends) e)) order by c.id for update
  )
  select coalesce(array_agg(e), '{}') into fenced
    from unnest(ends) e join locked c on c.id = e.id
   where c.state = 'running' and c.attempt = e.attempt and c.worker = e.worker;
  if cardinality(fenced) > 0 then
    perform finish_calls(fenced, p_outputs);
  end if;
  return query
    select e.id, case when exists (select from unnest(fenced) f where f.id = e.id) then 'ended' else 'stale' end
      from unnest(ends) e;
end $$;

-- Renews the leases of what a worker runs. Verdicts: kept; cancel (its caller wants it to stop); lost. A worker that
-- froze and thawed may hold two attempts of one call, of which one is lost.
create function renew_leases(p_worker text, p_ids text[], p_attempts integer[], p_lease_ms integer)
returns table (id text, attempt integer, verdict text)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from calls c where c.id = any (p_ids) order by c.id for update;
  return query
    with held as (
      update calls c set lease_until = clock_timestamp() + p_lease_ms * interval '1 ms'
        from unnest(p_ids, p_attempts) h(id, attempt)
       where c.id = h.id and c.attempt = h.attempt and c.worker = p_worker and c.state = 'running'
         and c.run_until > clock_timestamp()
      returning c.id, c.attempt, c.cancel_requested
    )
    select h.id, h.attempt,
           case when held.id is null then 'lost' when held.cancel_requested then 'cancel' else 'kept' end
      from unnest(p_ids, p_attempts) h(id, attempt)
      left join held on held.id = h.id and held.attempt = h.attempt;
end $$;

-- Stores what running calls tell of themselves, in order and without a gap, and no more than p_max_events for a call.
create function add_events(p_events jsonb, p_max_events integer) returns table (id text, seq integer)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  r record;
begin
  for r in
    select e.id, e.attempt, e.worker, e.data
      from jsonb_to_recordset(p_events) e(ord integer, id text, attempt integer, worker text, data text)
     order by e.id, e.ord
  loop
    update calls c set events = c.events + 1
     where c.id = r.id and c.state = 'running' and c.attempt = r.attempt and c.worker = r.worker
       and c.events < p_max_events
    returning c.events into seq;
    if found then
      insert into call_events (call_id, seq, type, data) values (r.id, add_events.seq, 'progress', r.data);
      id := r.id;
      return next;
    end if;
  end loop;
end $$;

-- A caller takes back a call of its own. Verdicts: cancelled; cancelling (it runs, and its worker is told); ended;
-- unknown.
create function cancel_call(p_id text, p_account text, out verdict text, out pool text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  c record;
begin
  select k.state, k.pool into c from calls k where k.id = p_id and k.account_id = p_account for update;
  pool := c.pool;
  if not found then
    verdict := 'unknown';
  elsif c.state = 'queued' then
    perform finish_calls(array[end_without_output(p_id, 'cancelled', 'cancelled', 'The caller cancelled this call.')], null);
    verdict := 'cancelled';
  elsif c.state = 'running' then
    update calls k set cancel_requested = true where k.id = p_id;
    verdict := 'cancelling';
  else
    verdict := 'ended';
  end if;
end $$;

-- Puts calls that a worker gives back, unfinished, at their old place in the queue. The attempt does not count.
create function hand_back_calls(p_worker text, p_ids text[], p_attempts integer[])
returns table (id text, pool text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  back text[];
begin
  perform from calls c where c.id = any (p_ids) order by c.id for update;
  back := array(
    select c.id from calls c join unnest(p_ids, p_attempts) h(id, attempt) on h.id = c.id
     where c.attempt = h.attempt and c.worker = p_worker and c.state = 'running' and not c.cancel_requested);
  update calls c set max_attempts = least(c.max_attempts + 1, 100) where c.id = any (back);
  perform requeue_calls(back);
  return query select c.id, c.pool from calls c where c.id = any (back);
end $$;

create function requeue_calls(p_ids text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update calls c set state = 'queued', worker = null, lease_until = null, run_until = null, events = c.events + 1
   where c.id = any (p_ids);
  insert into call_events (call_id, seq, type, data)
  select c.id, c.events, 'status', '{"status":"queued"}' from calls c where c.id = any (p_ids);
  perform shift_lanes(array(select row (c.pool, c.account_id, c.priority, 1, -1)::lane_shift from calls c where c.id = any (p_ids)));
end $$;

-- Ends or requeues what nobody else will: past its deadline, or with a lease that ran out (its worker died or froze).
-- An attempt past its time to run is its worker's to end; when the worker cannot, its lease runs out, and the time was
-- the worker's fault and not the call's. Any number of processes may sweep; each row is one's.
create function sweep_calls(p_limit integer) returns table (id text, pool text, verdict text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at timestamptz := clock_timestamp();
  due text[];
  again text[];
  ends call_end[];
begin
  due := array(
    select c.id from calls c
     where c.id in (
       select d.id from calls d where d.state in ('queued', 'running') and d.deadline_at < at
       union all
       select d.id from calls d where d.state = 'running' and d.lease_until < at
       limit p_limit)
       and c.state in ('queued', 'running')
     order by c.id for update skip locked);
  if cardinality(due) = 0 then return; end if;
  select array_agg(case
      when c.deadline_at < at then
        end_without_output(c.id, 'expired', 'deadline_exceeded', 'The call did not end within its deadline.')
      when c.cancel_requested then
        end_without_output(c.id, 'cancelled', 'cancelled', 'The caller cancelled this call.')
      else
        end_without_output(c.id, 'failed', 'attempts_exhausted',
          'The call was given up after ' || c.attempt || ' attempts whose worker was lost.')
    end order by c.id) into ends
    from calls c
   where c.id = any (due)
     and (c.deadline_at < at
          or (c.state = 'running' and c.lease_until < at and (c.cancel_requested or c.attempt >= c.max_attempts)));
  again := array(
    select c.id from calls c
     where c.id = any (due) and c.state = 'running' and c.lease_until < at
       and not exists (select from unnest(ends) e where e.id = c.id));
  if ends is not null then perform finish_calls(ends, null); end if;
  if cardinality(again) > 0 then perform requeue_calls(again); end if;
  return query
    select c.id, c.pool, case when c.ended_at is null then 'requeued' else 'ended' end
      from calls c where c.id = any (again) or c.id in (select e.id from unnest(ends) e);
end $$;

-- Forgets what has served its time: idempotency keys after 24 hours, lanes in which nobody waits or runs.
create function tidy(p_limit integer) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from idempotency_keys k where (k.account_id, k.key) in (
    select o.account_id, o.key from idempotency_keys o
     where o.created_at < clock_timestamp() - interval '24 hours' limit p_limit for update skip locked);
  delete from lanes l where (l.pool, l.account_id, l.priority) in (
    select o.pool, o.account_id, o.priority from lanes o
     where o.queued = 0 and o.running = 0 and o.head_at < clock_timestamp() - interval '1 minute'
     limit p_limit for update skip locked);
end $$;
