-- The running service opens and holds streams by functions, and closes its own.
do $$
begin
  if exists (select from pg_roles where rolname = 'meshforge_app') then
    grant select, delete on stream_holders, open_streams to meshforge_app;
  end if;
end $$;
