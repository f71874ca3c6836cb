-- Whether, and as what, the end of a call says something of its capability: not if it was cancelled, waited until its
-- deadline, failed for its own input, or was made by the provider. Null, or as capability_counts.recent has it.
create or replace function counted_end(
  p_state text, p_started boolean, p_input_fault boolean, p_own boolean, p_at timestamptz
) returns bigint language sql stable as $$
  select case when p_state in ('succeeded', 'failed', 'expired') and p_started and not p_input_fault and not p_own then
    (extract(epoch from p_at) * 1000)::bigint * 2 + (p_state = 'succeeded')::integer
  end
$$;
