-- The page of a paid call. The end of a slug is random: that two meet is not expected, and must not fail other calls.
create or replace function effect_receptionist(p_call text, p_account text, p_data jsonb) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into receptionists (slug, call_id, account_id, vertical, business, area)
  values (p_data ->> 'slug', p_call, p_account, p_data ->> 'vertical', p_data ->> 'business', p_data ->> 'area')
  on conflict do nothing
$$;
