-- Gives a worker up to p_slots of the calls that wait in a pool: first what leaves each account within half of the slots
-- that all its workers have, then by priority, then from the account with the fewest running, then by age. Claims of one pool follow one another, so that two workers never both see the same account as
-- the least served. A part of a run that has ended, or is about to, is not given. (attempt, worker) is the fence of every
-- later report.
create function claim_calls(p_pool text, p_slots integer, p_worker text, p_lease_ms integer)
returns table (id text, account_id text, slug text, version text, attempt integer, input text, timeout_ms integer,
               left_ms integer, waited_ms integer, request_id text, trace_context text, parent_id text,
               warnings text[])
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ids text[];
  shifts lane_shift[];
  at timestamptz;
  half numeric;
begin
  perform pg_advisory_xact_lock(hashtext('meshforge.claim'), hashtext(p_pool));
  at := clock_now();
  select case when sum(w.slots) > 0 then greatest(1, sum(w.slots) / 2.0) end into half from workers w
   where w.pool = p_pool and w.seen_at > at - interval '5 seconds';
  with shares as (
    select l.account_id, l.priority, l.queued, l.head_at,
           sum(l.running) over (partition by l.account_id) as running
      from lanes l where l.pool = p_pool
  ), turns as (
    select s.account_id, s.priority
      from shares s cross join lateral generate_series(1, least(s.queued, p_slots)) nth
     order by s.running + nth > half, s.priority desc, s.running + nth, s.head_at limit p_slots
  )
  select array_agg(c.id), array_agg(row (p_pool, t.account_id, t.priority, -1, 1)::lane_shift) into ids, shifts
    from (select t.account_id, t.priority, count(*) as turns from turns t group by 1, 2) t
    cross join lateral (
      select q.id from calls q
       where q.pool = p_pool and q.account_id = t.account_id and q.priority = t.priority and q.state = 'queued'
         and (q.parent_id is null or run_goes_on(q.parent_id))
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
      insert into events (stream_id, seq, type, data)
      select t.id, t.events, 'status', '{"status":"running","attempt":' || t.attempt || '}' from taken t
    )
    select t.id, t.account_id, t.slug, t.version, t.attempt, t.input, t.timeout_ms,
           (extract(epoch from t.run_until - at) * 1000)::integer,
           (extract(epoch from at - t.created_at) * 1000)::integer, t.request_id, t.trace_context, t.parent_id,
           t.warnings
      from taken t;
  perform shift_lanes(shifts);
end $$;
