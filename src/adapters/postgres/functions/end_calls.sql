-- A worker reports the ends of what it ran. Verdict `stale`: the worker no longer holds that attempt, and what it
-- brings is dropped. The outputs come as in settle_calls.
create or replace function end_calls(p_ends jsonb, p_outputs bytea) returns table (id text, verdict text)
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
