-- Settles a list of calls: charge, call row and place in the queue, in this one transaction. A call that has run already
-- (the inline pool) comes with its outcome and is final at once.
-- The caller chose the ids, so a list whose answer was lost with a connection may be sent again: what was settled then
-- is accepted and not charged twice.
-- Verdicts: accepted; replayed (call_id is the first call), mismatch, again (the same key stands twice in this list);
-- unauthorized (the key was revoked or has expired), quarantined, conflict (a document is not as it was read),
-- spend_limit_reached, insufficient_funds, queue_full: nothing of it is kept.
-- The inputs and outputs come beside the items, one after the other, and each item says which bytes are its own: in the
-- items they would have to be quoted and read twice, and every statement over the items would carry them along.
-- An item of a state tool names documents by their place in p_kinds and p_keys: the version that it was decided on, or
-- the item of this list that wrote what it was decided on, and where among the outputs the new bodies lie. A body without
-- a place is removed.
create or replace function settle_calls(
  p_items jsonb, p_outputs bytea, p_max_queued integer, p_kinds text[] default null, p_keys text[] default null)
returns table (ord integer, verdict text, call_id text, balance bigint, created_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  items settle_item[];
  hooked boolean;
  keyed boolean;
  queued boolean;
  effective boolean;
  given boolean;
  at timestamptz;
  r record;
  held_account text := '';
  held_currency text := '';
  held bigint;
  seq bigint;
  waiting bigint;
  begun bigint := 0; -- runs of this account, in this list
  begins boolean;
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
  written integer; -- a document, by its place
  doc_version bigint[];
  doc_account text[];
  doc_at integer[];
  doc_bytes integer[];
  doc_writer integer[]; -- the item of this list that wrote it last
  doc_live boolean[];
begin
  select array_agg(i), bool_or(i.webhook_url is not null), bool_or(i.idempotency_key is not null), bool_or(i.state = 'queued'),
         bool_or(i.effects is not null), bool_or(i.state = 'succeeded'), bool_or(i.state = 'waiting')
    into items, hooked, keyed, queued, effective, given, begins
    from jsonb_populate_recordset(null::settle_item, p_items) i;
  perform from balances b where b.account_id = any (array(select i.account_id from unnest(items) i))
    order by b.account_id, b.currency for update;
  if p_kinds is not null then
    perform lock_documents(p_kinds, p_keys);
    select array_agg(coalesce(d.version, 0) order by w.nth),
           array_agg(d.account_id order by w.nth), array_agg(d.body is not null order by w.nth),
           array_agg(null::integer), array_agg(null::integer), array_agg(null::integer)
      into doc_version, doc_account, doc_live, doc_at, doc_bytes, doc_writer
      from unnest(p_kinds, p_keys) with ordinality w(kind, key, nth)
      left join lateral (select x.version, x.account_id, x.body from documents x
                          where x.kind = w.kind and x.key = w.key limit 1) d on true;
  end if;
  at := clock_now();

  for r in
    select i.ord, i.id, i.account_id, i.currency, i.price, i.state, i.key_id, i.idempotency_key,
           b.amount, b.entries, idem.call_id as first_call, idem.request_sha256 = decode(i.request_sha256, 'hex') as same,
           done.created_at as done_at, coalesce(c.active, false) as active, k.limit_amount, k.ended as key_ended,
           spend_window(k.limit_period, at) as window_start,
           i.read_documents, i.read_versions, i.read_writers, i.write_documents, i.write_at, i.write_bytes,
           row_number() over (partition by i.account_id, i.idempotency_key order by i.ord) as nth,
           case when i.state = 'queued' then
             (select coalesce(sum(l.queued), 0) from lanes l where l.account_id = i.account_id)
           end as waiting,
           case when i.state = 'waiting' then
             (select count(*) from runs u where u.account_id = i.account_id and u.ended_at is null)
           end as runs
      from unnest(items) i
      left join lateral (select h.amount, h.entries from balances h
                          where h.account_id = i.account_id and h.currency = i.currency limit 1) b on true
      left join lateral (select x.active from capabilities x where x.slug = i.slug limit 1) c on true
      left join lateral (select x.revoked_at is not null or x.expires_at <= at as ended,
                                case when x.limit_currency = i.currency then x.limit_amount end as limit_amount,
                                case when x.limit_currency = i.currency then x.limit_period end as limit_period
                           from api_keys x where x.id = i.key_id limit 1) k on true
      left join lateral (select x.created_at from calls x where x.id = i.id limit 1) done on true
      left join lateral (select x.call_id, x.request_sha256 from idempotency_keys x
                          where x.account_id = i.account_id and x.key = i.idempotency_key
                            and x.created_at > at - interval '24 hours' limit 1) idem on true
     order by i.account_id, i.currency, i.ord
  loop
    if r.account_id <> held_account or r.currency <> held_currency then
      if r.account_id <> held_account then
        waiting := r.waiting;
        begun := 0;
      end if;
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
    elsif r.key_ended then
      verdict := 'unauthorized';
    elsif r.idempotency_key is not null and r.nth > 1 then
      verdict := 'again';
    elsif r.first_call is not null then
      verdict := case when r.same then 'replayed' else 'mismatch' end;
      call_id := r.first_call;
    elsif not r.active then
      verdict := 'quarantined';
    elsif cardinality(r.read_documents) > 0
          and exists (select from unnest(r.read_documents, r.read_versions, r.read_writers) d(nth, version, writer)
                       where doc_writer[d.nth] is distinct from d.writer
                          or (d.writer is null and doc_version[d.nth] <> d.version)) then
      verdict := 'conflict';
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
        elsif (r.state = 'queued' and waiting >= p_max_queued) or (r.state = 'waiting' and r.runs + begun >= p_max_queued) then
          verdict := 'queue_full';
        end if;
      end if;
    end if;
    if verdict = 'accepted' then
      if r.limit_amount is not null and r.price > 0 and r.state not in ('failed', 'expired') then
        insert into key_spend as s (key_id, window_start, spent) values (r.key_id, r.window_start, r.price)
          on conflict (key_id, window_start) do update set spent = s.spent + excluded.spent;
      end if;
      for nth in 1 .. coalesce(cardinality(r.write_documents), 0) loop
        written := r.write_documents[nth];
        doc_version[written] := doc_version[written] + 1;
        if not doc_live[written] then doc_account[written] := r.account_id; end if;
        doc_live[written] := r.write_at[nth] is not null;
        doc_at[written] := r.write_at[nth];
        doc_bytes[written] := r.write_bytes[nth];
        doc_writer[written] := r.ord;
      end loop;
      taken := taken || r.ord;
      windows := windows || r.window_start;
      if r.state = 'queued' then waiting := waiting + 1; end if;
      if r.state = 'waiting' then begun := begun + 1; end if;
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
                     timeout_ms, deadline_at, events, input, input_sha256, warnings, output_sha256,
                     error_code, error_message, input_fault, tokens_prompt, tokens_completion, idempotency_key,
                     webhook_url, spend_window, surface, parent_id, request_id, trace_context, created_at, started_at,
                     ended_at)
  select i.id, i.account_id, i.key_id, i.slug, i.version, i.pool, i.priority, i.price, i.currency, i.state,
         i.max_attempts, i.timeout_ms, at + i.deadline_ms * interval '1 ms', 1,
         output_of(p_outputs, i.input_at, i.input_bytes),
         decode(i.input_sha256, 'hex'), i.warnings, decode(i.output_sha256, 'hex'),
         i.error_code, i.error_message, coalesce(i.input_fault, false), i.tokens_prompt, i.tokens_completion,
         i.idempotency_key, i.webhook_url, t.window_start, coalesce(i.surface, 'marketplace'), i.parent_id,
         i.request_id, i.trace_context, at,
         case when i.state <> 'queued' then at - coalesce(i.started_ms_ago, 0) * interval '1 ms' end,
         case when i.state not in ('queued', 'waiting') then at end
    from unnest(taken, windows) t(ord, window_start) join unnest(items) i on i.ord = t.ord;
  if begins then
    insert into runs (id, account_id, rules, depth, deadline_at, due_at, created_at)
    select i.id, i.account_id, i.run_rules, 1, at + i.deadline_ms * interval '1 ms', at, at
      from unnest(items) i where i.ord = any (taken) and i.state = 'waiting';
  end if;
  if given then
    insert into call_outputs (call_id, output, output_lz4, output_ref)
    select i.id, output_of(p_outputs, i.output_at, i.output_bytes),
           output_lz4_of(p_outputs, i.output_lz4_at, i.output_lz4_bytes), i.output_ref
      from unnest(items) i where i.ord = any (taken) and i.state = 'succeeded';
  end if;
  if hooked then
    insert into webhook_deliveries (call_id, account_id)
    select i.id, i.account_id from unnest(items) i
     where i.ord = any (taken) and i.state not in ('queued', 'waiting') and i.webhook_url is not null;
  end if;
  insert into ledger (account_id, currency, seq, kind, delta, balance_after, call_id, created_at)
  select e.*, at
    from unnest(entry_account, entry_currency, entry_seq, entry_kind, entry_delta, entry_after, entry_call) e;
  if keyed then
    insert into idempotency_keys (account_id, key, call_id, request_sha256, created_at)
    select i.account_id, i.idempotency_key, i.id, decode(i.request_sha256, 'hex'), at
      from unnest(items) i where i.ord = any (taken) and i.idempotency_key is not null
     order by i.account_id, i.idempotency_key
    on conflict (account_id, key) do update
      set call_id = excluded.call_id, request_sha256 = excluded.request_sha256, created_at = excluded.created_at;
  end if;
  if p_kinds is not null then
    insert into documents (kind, key, account_id, version, body, updated_at)
    select w.kind, w.key, w.account_id, w.version, output_of(p_outputs, w.starts, w.bytes), at
      from unnest(p_kinds, p_keys, doc_account, doc_version, doc_at, doc_bytes, doc_writer)
           w(kind, key, account_id, version, starts, bytes, writer)
     where w.writer is not null
    on conflict (kind, key) do update
      set account_id = excluded.account_id, version = excluded.version, body = excluded.body,
          updated_at = excluded.updated_at;
  end if;
  if effective then
    perform apply_effects(array(
      select row (i.id, i.account_id, x.effect ->> 'kind', x.effect -> 'data')::call_effect
        from unnest(items) i cross join lateral jsonb_array_elements(i.effects) with ordinality x(effect, nth)
       where i.ord = any (taken) and i.state = 'succeeded'
       order by i.account_id, i.ord, x.nth));
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
  insert into capability_counts as n (slug, shard, calls, calls_external, recent)
  select i.slug, pg_backend_pid() % 32, count(*), count(*) filter (where not c.own),
         coalesce((array_agg(e.counted) filter (where e.counted is not null))[1:50], '{}')
    from unnest(items) i
    cross join lateral (select x.provider_id is not distinct from i.account_id as own
                          from capabilities x where x.slug = i.slug limit 1) c
    cross join lateral (select counted_end(i.state, true, coalesce(i.input_fault, false), c.own, at) as counted) e
   where i.ord = any (taken)
   group by 1 order by 1
  on conflict (slug, shard) do update
    set calls = n.calls + excluded.calls, calls_external = n.calls_external + excluded.calls_external,
        recent = case when cardinality(excluded.recent) = 0 then n.recent else (excluded.recent || n.recent)[1:50] end;
end $$;
