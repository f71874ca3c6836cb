-- Stores what running calls tell of themselves, in order and without a gap, and no more than p_max_events for a call.
create or replace function add_events(p_events jsonb, p_max_events integer) returns table (id text, seq integer)
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
      insert into events (stream_id, seq, type, data) values (r.id, add_events.seq, 'progress', r.data);
      id := r.id;
      return next;
    end if;
  end loop;
end $$;
