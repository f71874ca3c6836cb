-- Lets go of the outputs and events of calls that ended more than p_days ago: partitions whose whole week is that old are
-- dropped, and up to p_limit rows of each default partition deleted. What the service may do of it is to ask; the owner
-- drops. A partition that holds a call under way waits for it, though none should be that old. Returns how many
-- partitions were dropped.
create or replace function expire_results(p_days integer, p_limit integer) returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s'
  set enable_seqscan = on set enable_hashjoin = on set enable_sort = on as $$
declare
  horizon timestamptz := clock_now() - p_days * interval '1 day';
  -- A call may end a day after it was made.
  last_week timestamptz := partition_week(horizon - interval '8 days');
  part record;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('meshforge.partitions'), 0);
  update retention r set kept_from = greatest(r.kept_from, horizon);
  delete from call_outputs_default d where d.call_id in (
    select o.call_id from call_outputs_default o join calls c on c.id = o.call_id where c.ended_at < horizon limit p_limit);
  delete from events_default d where (d.stream_id, d.seq) in (
    select e.stream_id, e.seq from events_default e join calls c on c.id = e.stream_id where c.ended_at < horizon limit p_limit);
  perform expire_runs(horizon, p_limit);
  for part in
    select c.relname, to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp at time zone 'UTC' as week
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent in ('call_outputs'::regclass, 'events'::regclass) and c.relname ~ '_\d{8}$'
     order by c.relname
  loop
    continue when part.week > last_week
      or exists (select from calls c where c.ended_at is null
                    and c.id >= first_call_id(part.week) and c.id < first_call_id(part.week + interval '7 days'));
    update retention r set kept_from_id = greatest(r.kept_from_id, first_call_id(part.week + interval '7 days'));
    execute format('drop table %I', part.relname);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
