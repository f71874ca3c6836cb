-- Opens an account with its first key and its starter grants. Verdicts: created, handle_taken.
create or replace function open_account(
  p_id text, p_handle text, p_name text, p_key_id text, p_key_prefix text, p_key_sha256 bytea,
  p_starter_mesh bigint, p_starter_usd bigint
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into accounts (id, handle, name) values (p_id, p_handle, p_name) on conflict (handle) do nothing;
  if not found then return 'handle_taken'; end if;
  insert into balances (account_id, currency) values (p_id, 'MESH'), (p_id, 'USD');
  insert into minds (account_id, weight, at) values (p_id, 0, clock_now());
  insert into api_keys (id, account_id, name, prefix, sha256)
  values (p_key_id, p_id, 'first', p_key_prefix, p_key_sha256);
  if p_starter_mesh > 0 then
    perform post_entry(p_id, 'MESH', 'grant', p_starter_mesh, null, 'starter grant');
  end if;
  if p_starter_usd > 0 then
    perform post_entry(p_id, 'USD', 'grant', p_starter_usd, null, 'starter grant');
  end if;
  return 'created';
end $$;
