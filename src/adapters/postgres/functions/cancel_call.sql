-- A caller takes back a call of its own. Verdicts: cancelled; cancelling (it runs, and its worker is told, or it is a
-- run, and has mail); ended; unknown. `run` is the run that has mail now.
create function cancel_call(p_id text, p_account text, out verdict text, out pool text, out run text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  c record;
begin
  select k.state, k.pool, k.parent_id into c from calls k where k.id = p_id and k.account_id = p_account for update;
  pool := c.pool;
  if not found then
    verdict := 'unknown';
  elsif c.state = 'queued' then
    perform finish_calls(array[end_without_output(p_id, 'cancelled', 'cancelled', 'The caller cancelled this call.')], null);
    verdict := 'cancelled';
    run := c.parent_id;
  elsif c.state = 'running' then
    update calls k set cancel_requested = true where k.id = p_id;
    verdict := 'cancelling';
  elsif c.state = 'waiting' then
    perform cancel_run(p_id);
    verdict := 'cancelling';
    run := p_id;
  else
    verdict := 'ended';
  end if;
end $$;
