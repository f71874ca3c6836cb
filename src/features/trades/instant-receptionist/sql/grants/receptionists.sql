revoke execute on function effect_receptionist(text, text, jsonb) from public;

do $$
begin
  if exists (select from pg_roles where rolname = 'meshforge_app') then
    grant select on receptionists to meshforge_app;
    grant select, insert, delete on receptionist_leads to meshforge_app;
  end if;
end $$;
