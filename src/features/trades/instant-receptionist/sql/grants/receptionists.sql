-- Pages and leads are made, and leads are deleted, as effects.
revoke execute on function effect_receptionist(text, text, jsonb), effect_receptionist_lead(text, text, jsonb),
  effect_receptionist_lead_gone(text, text, jsonb) from public;

do $$
begin
  if exists (select from pg_roles where rolname = 'meshforge_app') then
    grant select on receptionists, receptionist_leads to meshforge_app;
  end if;
end $$;
