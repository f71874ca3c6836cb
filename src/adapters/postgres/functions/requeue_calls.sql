-- Puts running calls, whose rows the caller has locked, back at their old place in the queue.
create or replace function requeue_calls(p_ids text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update calls c set state = 'queued', worker = null, lease_until = null, run_until = null, events = c.events + 1
   where c.id = any (p_ids);
  insert into events (stream_id, seq, type, data)
  select c.id, c.events, 'status', '{"status":"queued"}' from calls c where c.id = any (p_ids);
  perform shift_lanes(array(select row (c.pool, c.account_id, c.priority, 1, -1)::lane_shift from calls c where c.id = any (p_ids)));
end $$;
