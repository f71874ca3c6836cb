-- Puts calls that a worker gives back, unfinished, at their old place in the queue. The attempt does not count.
create or replace function hand_back_calls(p_worker text, p_ids text[], p_attempts integer[])
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
