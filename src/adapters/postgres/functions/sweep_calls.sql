-- Ends or requeues what nobody else will: past its deadline, or with a lease that ran out (its worker died or froze).
-- An attempt past its time to run is its worker's to end; when the worker cannot, its lease runs out, and the time was
-- the worker's fault and not the call's. Any number of processes may sweep; each row is one's.
create function sweep_calls(p_limit integer) returns table (id text, pool text, verdict text, run text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at timestamptz := clock_now();
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
    select c.id, c.pool, case when c.ended_at is null then 'requeued' else 'ended' end,
           case when c.ended_at is not null then c.parent_id end
      from calls c where c.id = any (again) or c.id in (select e.id from unnest(ends) e);
end $$;
