-- Notes the end of a run: ran, failed, or handed back, which is due again at once. One whose job was taken by another
-- since then is not noted.
create or replace function end_schedule(p_name text, p_fence bigint, p_outcome text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at timestamptz := clock_now();
begin
  perform set_config('synchronous_commit', 'off', true);
  update schedules s
     set leased_until = null,
         due_at = case when p_outcome = 'handed back' then at else s.due_at end,
         last_ran_at = case when p_outcome = 'handed back' then s.last_ran_at else at end,
         last_failed_at = case when p_outcome = 'failed' then at else s.last_failed_at end
   where s.name = p_name and s.fence = p_fence and s.leased_until is not null;
end $$;
