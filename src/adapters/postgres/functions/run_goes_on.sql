-- Whether parts of a run may still be begun: it has not ended, and nothing that has come for it will end it.
create or replace function run_goes_on(p_run text) returns boolean language sql stable as $$
  select exists (select from runs r where r.id = p_run and r.ended_at is null)
     and not exists (select from run_mail m where m.run_id = p_run and m.kind in ('cancel', 'deadline'))
$$;

-- Tells a run that it is not wanted any more. The caller has locked its call.
create or replace function cancel_run(p_run text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update calls c set cancel_requested = true where c.id = p_run and not c.cancel_requested;
  insert into run_mail (run_id, call_id, kind, created_at) values (p_run, p_run, 'cancel', clock_now())
  on conflict do nothing;
end $$;

-- Lets go of what is kept of runs that ended before the horizon, as of the results of their calls.
create or replace function expire_runs(p_horizon timestamptz, p_limit integer) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone text[] := array(select r.id from runs r where r.ended_at < p_horizon order by r.id limit p_limit for update skip locked);
begin
  delete from run_mail m where m.run_id = any (gone);
  delete from run_nodes n where n.run_id = any (gone);
  delete from runs r where r.id = any (gone);
end $$;
