-- Each event belongs to a call. As for the ledger, one look for a whole list.
create or replace function events_belong() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  stray text;
begin
  select a.call_id into stray from added a where (select c.id from calls c where c.id = a.call_id) is null limit 1;
  if found then
    raise exception 'there is no call % for this event', stray using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
