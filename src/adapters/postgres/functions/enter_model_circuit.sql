-- Whether a request may be sent: 'closed' (yes), 'open' (no, for wait_ms), 'probe' (yes, and on it depends whether
-- others may), 'probing' (not while another one's probe is under way). clean says that nothing has failed lately.
create or replace function enter_model_circuit(
  p_tier text, p_request text, p_probe_ms integer, out verdict text, out wait_ms integer, out clean boolean
) language plpgsql as $$
declare
  c model_circuits;
begin
  select * into c from model_circuits m where m.tier = p_tier;
  clean := c.tier is null or (c.failures = 0 and c.open_until is null);
  wait_ms := 0;
  if c.open_until is null then
    verdict := 'closed';
  elsif c.open_until > clock_now() then
    verdict := 'open';
    wait_ms := ceil(extract(epoch from c.open_until - clock_now()) * 1000);
  else
    update model_circuits m
       set probe = p_request, probe_until = clock_now() + p_probe_ms * interval '1 ms'
     where m.tier = p_tier and m.open_until <= clock_now()
       and (m.probe_until is null or m.probe_until < clock_now());
    verdict := case when found then 'probe' else 'probing' end;
  end if;
end $$;
