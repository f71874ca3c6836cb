-- What the functions that change an account's keys or secrets begin with: takes their lock, so that they follow one
-- another, and says whether this key may do so now. Verdicts: granted; unauthorized (it is none of the account's, was
-- revoked or has expired); restricted (it has an end or a spend limit). Without a key it is an operator who asks.
create or replace function manage_account(p_account text, p_key text) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from accounts a where a.id = p_account for no key update;
  if p_key is null then return 'granted'; end if;
  return coalesce(
    (select case when k.revoked_at is not null or k.expires_at <= clock_now() then 'unauthorized'
                 when k.expires_at is not null or k.limit_amount is not null then 'restricted'
                 else 'granted' end
       from api_keys k where k.id = p_key and k.account_id = p_account),
    'unauthorized');
end $$;

-- Gives an account a further key, unless it has p_max already (null: however many). Verdicts: created, full, and those
-- of manage_account.
create or replace function create_key(
  p_by text, p_id text, p_account text, p_name text, p_prefix text, p_sha256 bytea, p_expires_at timestamptz,
  p_limit_currency text, p_limit_amount bigint, p_limit_period text, p_max integer
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  verdict text := manage_account(p_account, p_by);
begin
  if verdict <> 'granted' then return verdict; end if;
  if (select count(*) from page_of_held_keys(p_account, p_max)) >= p_max then return 'full'; end if;
  insert into api_keys (id, account_id, name, prefix, sha256, expires_at, limit_currency, limit_amount, limit_period)
  values (p_id, p_account, p_name, p_prefix, p_sha256, p_expires_at, p_limit_currency, p_limit_amount, p_limit_period);
  return 'created';
end $$;

-- Revokes a key, for good; again changes nothing. Verdicts: revoked, unknown, and those of manage_account.
create or replace function revoke_key(p_by text, p_account text, p_key text) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  verdict text := manage_account(p_account, p_by);
begin
  if verdict <> 'granted' then return verdict; end if;
  update api_keys set revoked_at = coalesce(revoked_at, clock_now()) where id = p_key and account_id = p_account;
  return case when found then 'revoked' else 'unknown' end;
end $$;
