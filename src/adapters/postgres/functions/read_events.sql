-- The events of a stream after p_after, in order and without a gap. That a call was queued, and that it ended, is what
-- its row says: where nothing is stored for the first and the last number, they are told from there. The data of the
-- last one is the call's envelope, and so null.
create or replace function read_events(p_stream text, p_after integer)
returns table (seq integer, type text, data text) language sql stable as $$
  select e.seq, e.type, e.data from events e where e.stream_id = p_stream and e.seq > p_after
  union all
  select 1, 'status', '{"status":"queued"}' from calls c
   where c.id = p_stream and p_after < 1 and c.events >= 1 and not (c.events = 1 and c.ended_at is not null)
     and not exists (select from events e where e.stream_id = p_stream and e.seq = 1)
  union all
  select c.events, case c.state when 'succeeded' then 'completed' else 'failed' end, null from calls c
   where c.id = p_stream and p_after < c.events and c.ended_at is not null
     and not exists (select from events e where e.stream_id = p_stream and e.seq = c.events)
  order by 1
$$;
