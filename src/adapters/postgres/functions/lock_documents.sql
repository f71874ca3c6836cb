-- Locks documents for a transaction, those too that are not there yet. All who change documents lock them here, all at
-- once and in one order, after the balances and before the lanes.
create or replace function lock_documents(p_kinds text[], p_keys text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(d.lock)
     from (select distinct hashtextextended(w.kind || '/' || w.key, 0) as lock
             from unnest(p_kinds, p_keys) w(kind, key) order by 1) d;
end $$;
