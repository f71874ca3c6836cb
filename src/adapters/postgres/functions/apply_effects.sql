-- Makes the changes that calls leave behind when they succeed, in the transaction in which they end: each effect has a
-- kind, and a function effect_<kind>(call, account, data) that knows it. The kinds follow one another in the order of
-- their names, and the effects of one kind in the order of the list. Such a function locks its rows in one order, and
-- does not raise: it would take the other calls of the list with it.
create or replace function apply_effects(p_effects call_effect[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  k text;
begin
  for k in select distinct e.kind from unnest(p_effects) e order by 1 loop
    execute format('select %I(e.call_id, e.account_id, e.data) from unnest($1) e where e.kind = $2', 'effect_' || k)
      using p_effects, k;
  end loop;
end $$;
