-- Each entry continues the one before, is already in the balance, and fits the call that it belongs to.
create or replace function ledger_continues() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  broken record;
begin
  select a.account_id, a.currency, a.seq into broken
    from added a
    left join lateral (
      select l.balance_after from ledger l
       where l.account_id = a.account_id and l.currency = a.currency and l.seq = a.seq - 1 limit 1) p on true
    left join lateral (
      select h.entries from balances h
       where h.account_id = a.account_id and h.currency = a.currency limit 1) b on true
   where coalesce(p.balance_after, case when a.seq = 1 then 0 end) + a.delta is distinct from a.balance_after
      or b.entries is null or b.entries < a.seq
   limit 1;
  if found then
    raise exception 'entry % of the % ledger of % does not continue it', broken.seq, broken.currency, broken.account_id
      using errcode = 'integrity_constraint_violation';
  end if;
  select a.kind, a.call_id into broken
    from added a left join lateral (select k.* from calls k where k.id = a.call_id limit 1) c on true
   where a.call_id is not null
     and (c.id is null
          or (a.kind in ('charge', 'refund')
              and (c.account_id <> a.account_id or c.currency <> a.currency or abs(a.delta) <> c.price))
          or (a.kind = 'refund' and c.state not in ('failed', 'cancelled', 'expired')))
   limit 1;
  if found then
    raise exception 'a % does not fit call %', broken.kind, broken.call_id
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
