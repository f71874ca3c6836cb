-- Counts a stream as open. Verdicts: opened (also when asked again with the same id); full: p_max of its scope are open
-- already; unknown: nothing is known of the holder, which has to say first what it holds (hold_streams).
create or replace function open_stream(p_id text, p_scope text, p_holder text, p_max integer)
returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  open integer;
begin
  perform pg_advisory_xact_lock(hashtext('meshforge.streams'), hashtext(p_scope));
  perform from stream_holders h where h.holder = p_holder for key share;
  if not found then return 'unknown'; end if;
  select count(*) into open
    from open_streams o
    cross join lateral (select h.leased_until from stream_holders h where h.holder = o.holder limit 1) h
   where o.scope = p_scope and o.id <> p_id and (h.leased_until > (select clock_now()) or o.holder = p_holder);
  if open >= p_max then return 'full'; end if;
  insert into open_streams (id, scope, holder) values (p_id, p_scope, p_holder) on conflict (id) do nothing;
  return 'opened';
end $$;
