-- A process that holds streams lives: its lease begins anew. False: nothing is known of it, as at its first stream and
-- after a crash of the server; it then asks again with all that it holds. Holders that were silent for long are
-- forgotten with their streams.
create or replace function hold_streams(p_holder text, p_lease_ms integer, p_ids text[] default null, p_scopes text[] default null)
returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
declare
  until timestamptz := clock_now() + p_lease_ms * interval '1 ms';
begin
  update stream_holders h set leased_until = until where h.holder = p_holder;
  if not found then
    if p_ids is null then return false; end if;
    insert into stream_holders (holder, leased_until) values (p_holder, until) on conflict (holder) do nothing;
    insert into open_streams (id, scope, holder)
    select s.id, s.scope, p_holder from unnest(p_ids, p_scopes) s(id, scope) on conflict (id) do nothing;
  end if;
  delete from stream_holders h where h.holder in (
    select o.holder from stream_holders o
     where o.leased_until < (select clock_now()) - interval '1 minute' for update skip locked);
  return true;
end $$;
