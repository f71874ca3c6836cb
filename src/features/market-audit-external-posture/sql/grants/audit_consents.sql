-- The running service gives consents; their times are the database's.
do $$
begin
  if exists (select from pg_roles where rolname = 'meshforge_app') then
    grant select, insert (id, account_id, asset) on audit_consents to meshforge_app;
  end if;
end $$;
