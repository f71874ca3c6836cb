-- Renews the leases of the runs that a process holds (p_held with p_fences), and takes what is due among p_names. Says of
-- each what became of it: kept, lost, taken or waits, and in how many milliseconds it is due, or free of another's lease.
--
-- A due date or a lease further ahead than any that is given comes from a clock that was set back since, and counts for
-- nothing. What is written here need not outlive a crash: the run is made again then, as after any other.
create or replace function take_schedules(p_names text[], p_held text[], p_fences bigint[], p_lease_ms integer)
returns table (name text, verdict text, fence bigint, due_in_ms integer)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at timestamptz := clock_now();
  lease interval := p_lease_ms * interval '1 ms';
  kept text[];
  taken text[];
begin
  perform set_config('synchronous_commit', 'off', true);
  with renewed as (
    update schedules s set leased_until = at + lease
      from unnest(p_held, p_fences) h(name, fence)
     where s.name = h.name and s.fence = h.fence and s.leased_until is not null
    returning s.name)
  select coalesce(array_agg(r.name), '{}') into kept from renewed r;
  with due as (
    select d.name from schedules d
     where d.name = any (p_names)
       and (d.due_at <= at or d.due_at > at + d.every_ms * interval '1 ms')
       and (d.leased_until is null or d.leased_until <= at or d.leased_until > at + 10 * lease)
     order by d.name for update skip locked
  ), begun as (
    -- A lease that still stands here was not given back: its process is gone.
    update schedules s
       set fence = s.fence + 1, leased_until = at + lease, due_at = at + s.every_ms * interval '1 ms',
           last_failed_at = case when s.leased_until is null then s.last_failed_at else at end
      from due where s.name = due.name
    returning s.name)
  select coalesce(array_agg(b.name), '{}') into taken from begun b;
  return query
    select s.name,
           case when s.name = any (taken) then 'taken' when s.name = any (kept) then 'kept'
                when s.name = any (p_held) then 'lost' else 'waits' end,
           s.fence,
           ceil(greatest(0, extract(epoch from
             case when s.name = any (taken) then s.due_at else greatest(s.due_at, s.leased_until) end - at) * 1000))::integer
      from schedules s where s.name = any (p_names || p_held);
end $$;
