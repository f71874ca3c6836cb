-- Makes changes that no call leaves behind, such as a consent, or what a visitor of a page sends: effects like those of
-- calls, by the same functions and in the same order, in a transaction of their own and for one account. Their call is
-- null.
create or replace function leave_effects(p_account text, p_effects jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform apply_effects(array(
    select row (null, p_account, x.effect ->> 'kind', x.effect -> 'data')::call_effect
      from jsonb_array_elements(p_effects) with ordinality x(effect, nth) order by x.nth));
end $$;
