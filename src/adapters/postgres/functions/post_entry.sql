-- Books entries that are not part of a call: grants, purchases, adjustments. A reference is booked once, however
-- often its event is delivered. Verdicts: booked, duplicate, unknown_account, insufficient_funds.
create or replace function post_entry(
  p_account text, p_currency text, p_kind text, p_delta bigint, p_reference text, p_memo text,
  out verdict text, out balance bigint
) language plpgsql security definer set search_path = public, pg_temp as $$
declare
  held balances;
begin
  select * into held from balances b where b.account_id = p_account and b.currency = p_currency for update;
  if not found then verdict := 'unknown_account'; return; end if;
  balance := held.amount;
  if p_reference is not null and exists (select from ledger l where l.reference = p_reference) then
    verdict := 'duplicate'; return;
  end if;
  if held.amount + p_delta < 0 then verdict := 'insufficient_funds'; return; end if;
  balance := held.amount + p_delta;
  update balances b set amount = post_entry.balance, entries = b.entries + 1
   where b.account_id = p_account and b.currency = p_currency;
  insert into ledger (account_id, currency, seq, kind, delta, balance_after, reference, memo)
  values (p_account, p_currency, held.entries + 1, p_kind, p_delta, balance, p_reference, p_memo);
  verdict := 'booked';
end $$;
