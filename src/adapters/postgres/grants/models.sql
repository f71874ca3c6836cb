do $$
begin
  if exists (select from pg_roles where rolname = 'meshforge_app') then
    grant select, insert, update, delete on model_slots, model_circuits to meshforge_app;
  end if;
end $$;
