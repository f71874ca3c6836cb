-- Gives an account a further key, unless it has p_max already. Those who ask at the same time follow one another.
create or replace function create_key(
  p_id text, p_account text, p_name text, p_prefix text, p_sha256 bytea, p_expires_at timestamptz,
  p_limit_currency text, p_limit_amount bigint, p_limit_period text, p_max integer
) returns setof api_keys language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from accounts a where a.id = p_account for no key update;
  if (select count(*) from api_keys k where k.account_id = p_account and k.revoked_at is null) >= p_max then return; end if;
  return query
    insert into api_keys (id, account_id, name, prefix, sha256, expires_at, limit_currency, limit_amount, limit_period)
    values (p_id, p_account, p_name, p_prefix, p_sha256, p_expires_at, p_limit_currency, p_limit_amount, p_limit_period)
    returning *;
end $$;
