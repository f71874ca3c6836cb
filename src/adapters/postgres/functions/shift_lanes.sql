-- Moves counts between the waiting and the running of lanes that exist, and looks up who waits longest in them.
create or replace function shift_lanes(p_shifts lane_shift[]) returns void
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
