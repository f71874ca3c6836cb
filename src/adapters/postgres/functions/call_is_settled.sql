-- At commit: exactly one charge of the price, and a refund of the price exactly when the call ended without success.
create or replace function call_is_settled() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  c record;
begin
  -- Each entry by its own unique index, which also says that there is no second one.
  select k.id, k.price, k.state,
         coalesce((select -l.delta from ledger l where l.call_id = k.id and l.kind = 'charge'), 0) as paid,
         coalesce((select l.delta from ledger l where l.call_id = k.id and l.kind = 'refund'), 0) as returned
    into c from calls k where k.id = new.id;
  if c.paid <> c.price then
    raise exception 'call % is not charged its price', c.id using errcode = 'integrity_constraint_violation';
  end if;
  if c.state in ('failed', 'cancelled', 'expired') then
    if c.returned <> c.price then
      raise exception 'call % ended as % without its refund', c.id, c.state
        using errcode = 'integrity_constraint_violation';
    end if;
  elsif c.returned <> 0 then
    raise exception 'call % is refunded and %', c.id, c.state using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
