-- Counts a hit; a window that has ended starts anew. Each hit clears some of the others that have ended away, so that
-- the addresses of long ago do not pile up. Returns the hits of the current one and how long it still lasts.
create or replace function count_hit(p_key text, p_window_ms integer, out hits integer, out left_ms integer)
language sql as $$
  delete from rate_windows where key in (
    select o.key from rate_windows o
     where o.ends_at < (select clock_now()) and o.key <> p_key limit 3 for update skip locked);
  insert into rate_windows as w (key, ends_at, hits)
  values (p_key, clock_now() + p_window_ms * interval '1 ms', 1)
  on conflict (key) do update
    set hits = case when w.ends_at < clock_now() then 1 else w.hits + 1 end,
        ends_at = case when w.ends_at < clock_now() then excluded.ends_at else w.ends_at end
  returning hits, greatest(0, extract(epoch from ends_at - clock_now()) * 1000)::integer
$$;
