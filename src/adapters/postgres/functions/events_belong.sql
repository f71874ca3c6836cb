-- Each event belongs to a call, which has counted it. As for the ledger, one look for a whole list.
create or replace function events_belong() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  stray record;
begin
  select a.stream_id, a.seq, c.id into stray
    from added a left join lateral (select k.id, k.events from calls k where k.id = a.stream_id limit 1) c on true
   where c.id is null or a.seq > c.events limit 1;
  if found then
    raise exception '%', case when stray.id is null then format('there is no call %s for this event', stray.stream_id)
                              else format('there is no event %s of call %s', stray.seq, stray.id) end
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
