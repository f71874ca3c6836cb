-- Adds ends to those of the last minute in their pools: [{pool, succeeded, failed, waits, runs}], the times samples in
-- milliseconds. Of each shard and slot no more than 64 of either are kept. A crash of the server may forget the last of it.
create or replace function add_pool_ends(p_ends jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  nth bigint := floor(extract(epoch from clock_now()) / 5);
begin
  perform set_config('synchronous_commit', 'off', true);
  insert into pool_ends as p (pool, shard, slot, begins_at, succeeded, failed, waits, runs)
  select e.pool, pg_backend_pid() % 32, nth % 16, to_timestamp(nth * 5), e.succeeded, e.failed, e.waits[1:64], e.runs[1:64]
    from jsonb_to_recordset(p_ends) e(pool text, succeeded integer, failed integer, waits integer[], runs integer[])
   order by e.pool
  on conflict (pool, shard, slot) do update
    set begins_at = excluded.begins_at,
        succeeded = case when p.begins_at = excluded.begins_at then p.succeeded else 0 end + excluded.succeeded,
        failed = case when p.begins_at = excluded.begins_at then p.failed else 0 end + excluded.failed,
        waits = case when p.begins_at = excluded.begins_at then (excluded.waits || p.waits)[1:64] else excluded.waits end,
        runs = case when p.begins_at = excluded.begins_at then (excluded.runs || p.runs)[1:64] else excluded.runs end;
end $$;
