-- Takes the locks that settle_calls takes for these accounts and documents, in its order: for a list that is to be
-- decided while nobody else can change what it is decided on.
create or replace function lock_for_settling(p_accounts text[], p_kinds text[], p_keys text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from balances b where b.account_id = any (p_accounts) order by b.account_id, b.currency for update;
  perform lock_documents(p_kinds, p_keys);
end $$;
