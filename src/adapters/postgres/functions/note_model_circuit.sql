-- Notes how a request went: 'good' closes the circuit; 'bad' opens it when p_threshold in a row were, or the probe was;
-- 'unusable' opens it at once; 'unknown' says nothing, and lets another one be the probe. Each time in a row that it
-- opens, it stays open twice as long.
create or replace function note_model_circuit(
  p_tier text, p_request text, p_outcome text, p_threshold integer, p_open_ms integer, p_max_open_ms integer
) returns void language plpgsql as $$
declare
  c model_circuits;
begin
  if p_outcome = 'good' then
    delete from model_circuits m where m.tier = p_tier;
    return;
  end if;
  if p_outcome = 'unknown' then
    update model_circuits m set probe = null, probe_until = null where m.tier = p_tier and m.probe = p_request;
    return;
  end if;
  insert into model_circuits (tier) values (p_tier) on conflict do nothing;
  select * into c from model_circuits m where m.tier = p_tier for update;
  -- What was under way when it opened says nothing new.
  if c.open_until is not null and c.probe is distinct from p_request then
    return;
  end if;
  if c.open_until is null and p_outcome = 'bad' and c.failures + 1 < p_threshold then
    update model_circuits m set failures = m.failures + 1 where m.tier = p_tier;
  else
    update model_circuits m
       set failures = 0, times_opened = m.times_opened + 1, probe = null, probe_until = null,
           open_until = clock_now()
             + least(p_max_open_ms, p_open_ms * 2 ^ least(m.times_opened, 20)) * interval '1 ms'
     where m.tier = p_tier;
  end if;
end $$;
