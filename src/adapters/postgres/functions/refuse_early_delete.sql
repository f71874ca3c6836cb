-- Outputs and events go when retention has passed the end of their call, and not before. The argument names the column
-- that holds the call's id.
create or replace function refuse_early_delete() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  call text := to_jsonb(old) ->> tg_argv[0];
begin
  if not exists (select from calls c cross join retention r where c.id = call and c.ended_at < r.kept_from) then
    raise exception '% of call % are still kept: delete refused', tg_table_name, call using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
