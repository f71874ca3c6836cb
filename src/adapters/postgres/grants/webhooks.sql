-- The running service sends and notes how it went; deliveries are made by the functions that end calls, and by nobody
-- else.
do $$
begin
  if exists (select from pg_roles where rolname = 'meshforge_app') then
    grant select on webhook_secrets, webhook_deliveries to meshforge_app;
    grant update (status, attempts, last_status, next_at) on webhook_deliveries to meshforge_app;
  end if;
end $$;
