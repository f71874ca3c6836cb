-- A worker reports the ends of what it ran. Verdict `stale`: the worker no longer holds that attempt, or its time was
-- over, and what it brings is dropped, whether or not the sweep has seen that already; so is what comes for a run that has
-- ended. That the time is over, or that the call is cancelled, is what it may always say. The outputs come as in
-- settle_calls.
create or replace function end_calls(p_ends jsonb, p_outputs bytea) returns table (id text, verdict text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ends call_end[];
  fenced call_end[];
  at timestamptz;
begin
  select array_agg(e) into ends from jsonb_populate_recordset(null::call_end, p_ends) e;
  perform from calls c where c.id = any (array(select e.id from unnest(ends) e)) order by c.id for update;
  at := clock_now();
  select coalesce(array_agg(case
      when exists (select from runs r where r.id = c.parent_id and r.ended_at is not null) then
        end_without_output(e.id, 'cancelled', 'cancelled', 'The run that this call was a part of has ended.')
      else e end), '{}') into fenced
    from unnest(ends) e
    join lateral (select k.state, k.attempt, k.worker, k.run_until, k.deadline_at, k.parent_id
                    from calls k where k.id = e.id limit 1) c on true
   where c.state = 'running' and c.attempt = e.attempt and c.worker = e.worker
     and (e.state in ('expired', 'cancelled') or (c.run_until >= at and c.deadline_at >= at));
  if cardinality(fenced) > 0 then
    perform finish_calls(fenced, p_outputs);
  end if;
  return query
    select e.id, case when exists (select from unnest(fenced) f where f.id = e.id) then 'ended' else 'stale' end
      from unnest(ends) e;
end $$;
