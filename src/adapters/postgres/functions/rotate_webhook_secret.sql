-- Makes a secret the account's current one. Those before it sign along for p_overlap, at most p_keep of them. Verdicts:
-- rotated, and those of manage_account.
create or replace function rotate_webhook_secret(
  p_by text, p_account text, p_secret text, p_overlap interval, p_keep integer
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  verdict text := manage_account(p_account, p_by);
begin
  if verdict <> 'granted' then return verdict; end if;
  update webhook_secrets s set retires_at = clock_now() + p_overlap
   where s.account_id = p_account and s.retires_at is null;
  delete from webhook_secrets s
   where s.account_id = p_account
     and (s.retires_at < clock_now()
          or s.id not in (select k.id from webhook_secrets k where k.account_id = p_account order by k.id desc limit p_keep));
  insert into webhook_secrets (account_id, secret) values (p_account, p_secret);
  return 'rotated';
end $$;
