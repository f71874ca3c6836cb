-- A consent that an account gives; its times are the database's. data: id, asset
create or replace function effect_audit_consent(p_call text, p_account text, p_data jsonb) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into audit_consents (id, account_id, asset) values (p_data ->> 'id', p_account, p_data ->> 'asset')
$$;
