-- Forgets what has served its time: idempotency keys after 24 hours, lanes in which nobody waits or runs, documents
-- that were removed longer ago than any list may take that has read them, and workers that gave no sign of life for a
-- minute: they were killed (one that was only frozen enters itself again).
create or replace function tidy(p_limit integer) returns void
language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = on set enable_sort = on as $$
begin
  delete from idempotency_keys k where (k.account_id, k.key) in (
    select o.account_id, o.key from idempotency_keys o
     where o.created_at < (select clock_now()) - interval '24 hours' limit p_limit for update skip locked);
  delete from lanes l where (l.pool, l.account_id, l.priority) in (
    select o.pool, o.account_id, o.priority from lanes o
     where o.queued = 0 and o.running = 0 and o.head_at < clock_now() - interval '1 minute'
     limit p_limit for update skip locked);
  delete from documents d where (d.kind, d.key) in (
    select o.kind, o.key from documents o
     where o.body is null and o.updated_at < (select clock_now()) - interval '1 hour' limit p_limit for update skip locked);
  delete from workers w where (w.name, w.pool) in (
    select o.name, o.pool from workers o
     where o.seen_at < clock_now() - interval '1 minute' limit p_limit for update skip locked);
end $$;
