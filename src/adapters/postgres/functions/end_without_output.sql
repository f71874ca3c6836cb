-- An end that the platform itself decides.
create or replace function end_without_output(p_id text, p_state text, p_code text, p_message text) returns call_end
language sql immutable as $$
  select e from jsonb_populate_record(null::call_end, jsonb_build_object(
    'id', p_id, 'state', p_state, 'error_code', p_code, 'error_message', p_message, 'input_fault', false)) e
$$;
