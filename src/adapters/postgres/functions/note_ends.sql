-- Whether, and as what, the end of a call says something of its capability: not if it was cancelled, waited until its
-- deadline, failed for its own input, or was made by the provider. Null, or as capability_counts.recent has it.
create or replace function counted_end(
  p_state text, p_started boolean, p_input_fault boolean, p_own boolean, p_at timestamptz
) returns bigint language sql stable as $$
  select case when p_state in ('succeeded', 'failed', 'expired') and p_started and not p_input_fault and not p_own then
    (extract(epoch from p_at) * 1000)::bigint * 2 + (p_state = 'succeeded')::integer
  end
$$;

-- Counts ends in their pools: for each its pool, whether it succeeded, and how long it waited and ran in milliseconds,
-- null where it did not. Of each shard and slot no more than 64 times are kept.
create or replace function note_ends(
  p_pools text[], p_succeeded boolean[], p_waits integer[], p_runs integer[], p_at timestamptz
) returns void language plpgsql set search_path = public, pg_temp as $$
declare
  nth bigint := floor(extract(epoch from p_at) / 5);
begin
  insert into pool_ends as p (pool, shard, slot, begins_at, succeeded, failed, waits, runs)
  select e.pool, pg_backend_pid() % 32, nth % 16, to_timestamp(nth * 5),
         count(*) filter (where e.succeeded), count(*) filter (where not e.succeeded),
         (coalesce(array_agg(e.wait) filter (where e.wait is not null), '{}'))[1:64],
         (coalesce(array_agg(e.run) filter (where e.run is not null), '{}'))[1:64]
    from unnest(p_pools, p_succeeded, p_waits, p_runs) e(pool, succeeded, wait, run)
   group by 1 order by 1
  on conflict (pool, shard, slot) do update
    set begins_at = excluded.begins_at,
        succeeded = case when p.begins_at = excluded.begins_at then p.succeeded else 0 end + excluded.succeeded,
        failed = case when p.begins_at = excluded.begins_at then p.failed else 0 end + excluded.failed,
        waits = case when p.begins_at = excluded.begins_at then (p.waits || excluded.waits)[1:64] else excluded.waits end,
        runs = case when p.begins_at = excluded.begins_at then (p.runs || excluded.runs)[1:64] else excluded.runs end;
end $$;
