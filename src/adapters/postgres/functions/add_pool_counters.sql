-- Adds to counters. A crash of the server may forget the last of it: what counts money is the ledger.
create or replace function add_pool_counters(p_pools text[], p_counters text[], p_values double precision[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  insert into pool_counters as c (pool, counter, value)
  select a.pool, a.counter, a.value from unnest(p_pools, p_counters, p_values) a(pool, counter, value)
   order by a.pool, a.counter
  on conflict (pool, counter) do update set value = c.value + excluded.value;
end $$;
