-- At commit a balance is what the last entry of its ledger says: a read-then-write debit cannot be committed.
create or replace function balance_is_tip() returns trigger language plpgsql security definer
  set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  held record;
begin
  select b.entries, b.amount, l.seq, l.balance_after into held
    from balances b
    left join lateral (
      select t.seq, t.balance_after from ledger t
       where t.account_id = b.account_id and t.currency = b.currency order by t.seq desc limit 1) l on true
   where b.account_id = new.account_id and b.currency = new.currency;
  if held.entries <> coalesce(held.seq, 0) or held.amount <> coalesce(held.balance_after, 0) then
    raise exception 'the % balance of % is not what its ledger says', new.currency, new.account_id
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
