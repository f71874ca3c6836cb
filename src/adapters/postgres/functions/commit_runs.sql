-- Commits what advances decided, for a list of runs: each whole or, where it was overtaken (`conflict`), not at all. The
-- locks are taken in the house's order: runs, calls, and what finish_calls takes. p_mail is the mail that was read, and
-- no more goes. p_ends are the ends of runs, as in end_calls. A call that is taken back while it waits ends here; one that
-- runs is told, and one that is a run itself has mail.
create or replace function commit_runs(
  p_runs jsonb, p_nodes jsonb, p_calls jsonb, p_mail jsonb, p_events jsonb, p_ends jsonb, p_outputs bytea
) returns table (id text, verdict text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at timestamptz;
  changes run_change[];
  fit text[];
  freed text[];
  ends call_end[];
begin
  select array_agg(c) into changes from jsonb_populate_recordset(null::run_change, p_runs) c;
  with locked as materialized (
    select r.id, r.version from runs r
     where r.id = any (array(select c.id from unnest(changes) c)) order by r.id for update
  )
  select coalesce(array_agg(l.id), '{}') into fit from unnest(changes) c join locked l on l.id = c.id and l.version = c.version;
  if cardinality(fit) > 0 then
    freed := array(select x from unnest(changes) c cross join lateral unnest(c.cancels) x where c.id = any (fit));
    perform from calls k where k.id = any (fit || freed) order by k.id for update;
    at := clock_now();
    update runs r
       set document = c.document, version = r.version + 1, nodes = c.nodes, open = c.open, due_at = null,
           ended_at = case when c.ends then at else r.ended_at end
      from unnest(changes) c where r.id = c.id and r.id = any (fit);
    perform add_run_calls(p_calls, fit, at);
    insert into run_nodes as n (run_id, name, nth, slug, version, needs, input, on_failure, state, call_id, error_code, error_message)
    select x.* from jsonb_populate_recordset(null::run_node_change, p_nodes) x where x.run_id = any (fit)
    on conflict (run_id, name) do update
      set version = coalesce(excluded.version, n.version), state = excluded.state, call_id = excluded.call_id,
          error_code = excluded.error_code, error_message = excluded.error_message;
    perform add_run_events(p_events, fit);

    update calls k set cancel_requested = true where k.id = any (freed) and k.state = 'running';
    perform cancel_run(k.id) from calls k where k.id = any (freed) and k.state = 'waiting';
    select array_agg(x) into ends from (
      select e as x from jsonb_populate_recordset(null::call_end, p_ends) e where e.id = any (fit)
      union all
      select end_without_output(k.id, 'cancelled', 'cancelled', 'The run that this call was a part of does without it.')
        from calls k where k.id = any (freed) and k.state = 'queued') x;
    if ends is not null then perform finish_calls(ends, p_outputs); end if;
    delete from run_mail m
     using jsonb_to_recordset(p_mail) u(run_id text, call_id text, kind text)
     where m.run_id = u.run_id and m.call_id = u.call_id and m.kind = u.kind and m.run_id = any (fit);
    perform fill_run_lanes(p_calls, fit, at);
  end if;
  return query select c.id, case when c.id = any (fit) then 'advanced' else 'conflict' end from unnest(changes) c;
end $$;

-- The calls of nodes: at no price, in the place of what paid for them, and never past its deadline. One that is a run
-- begins as one.
create or replace function add_run_calls(p_calls jsonb, p_fit text[], p_at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into calls (id, account_id, key_id, slug, version, pool, priority, price, currency, state, max_attempts, timeout_ms,
                     deadline_at, events, input, input_sha256, surface, parent_id, request_id, trace_context,
                     created_at, started_at)
  select x.id, p.account_id, p.key_id, x.slug, x.version, x.pool, p.priority, 0, p.currency, x.state, x.max_attempts,
         x.timeout_ms, least(p_at + x.deadline_ms * interval '1 ms', p.deadline_at), 1, x.input,
         decode(x.input_sha256, 'hex'), p.surface, p.id, p.request_id, p.trace_context, p_at,
         case when x.state = 'waiting' then p_at end
    from jsonb_populate_recordset(null::run_call, p_calls) x
    cross join lateral (select k.* from calls k where k.id = x.run_id limit 1) p
   where x.run_id = any (p_fit);
  insert into runs (id, account_id, rules, depth, deadline_at, due_at, created_at)
  select k.id, k.account_id, x.rules, u.depth + 1, k.deadline_at, p_at, p_at
    from jsonb_populate_recordset(null::run_call, p_calls) x
    cross join lateral (select c.* from calls c where c.id = x.id limit 1) k
    cross join lateral (select r.depth from runs r where r.id = x.run_id limit 1) u
   where x.run_id = any (p_fit) and x.state = 'waiting';
end $$;

create or replace function add_run_events(p_events jsonb, p_fit text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with told as (
    select x.run_id, x.type, x.data, row_number() over (partition by x.run_id order by x.nth) as after
      from jsonb_to_recordset(p_events) x(run_id text, nth integer, type text, data text) where x.run_id = any (p_fit)
  ), counted as (
    update calls k set events = k.events + t.n
      from (select run_id, count(*) as n from told group by 1) t
     where k.id = t.run_id and k.id = any (p_fit)
    returning k.id, k.events - t.n as before
  )
  insert into events (stream_id, seq, type, data)
  select t.run_id, c.before + t.after, t.type, t.data from told t join counted c on c.id = t.run_id;
end $$;

create or replace function fill_run_lanes(p_calls jsonb, p_fit text[], p_at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into lanes as l (pool, account_id, priority, queued, head_at)
  select k.pool, k.account_id, k.priority, count(*), p_at
    from jsonb_populate_recordset(null::run_call, p_calls) x
    cross join lateral (select c.pool, c.account_id, c.priority from calls c where c.id = x.id limit 1) k
   where x.run_id = any (p_fit) and x.state = 'queued'
   group by 1, 2, 3 order by 1, 2, 3
  on conflict (pool, account_id, priority) do update
    set queued = l.queued + excluded.queued,
        head_at = case when l.queued = 0 then excluded.head_at else l.head_at end;
end $$;
