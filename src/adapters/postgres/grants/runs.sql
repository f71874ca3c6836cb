-- Runs are changed by commit_runs; what is only a part of it, or of other functions, is for nobody else.
revoke execute on function cancel_run(text), expire_runs(timestamptz, integer), add_run_calls(jsonb, text[], timestamptz),
  add_run_events(jsonb, text[]), fill_run_lanes(jsonb, text[], timestamptz) from public;
