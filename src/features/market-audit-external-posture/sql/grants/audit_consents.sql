-- Consents are given as effects, and nobody changes them.
revoke execute on function effect_audit_consent(text, text, jsonb) from public;

do $$
begin
  if exists (select from pg_roles where rolname = 'meshforge_app') then
    grant select on audit_consents to meshforge_app;
  end if;
end $$;
