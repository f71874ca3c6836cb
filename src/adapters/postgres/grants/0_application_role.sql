-- The role that the running service takes. It may read everything and call the money functions; it holds no right to
-- write balances, ledger, calls, outputs or events by itself, nor to make accounts or keys past the functions that do.
-- Where the owner may not create roles, the service runs as the owner, and the guards stand alone.
do $$
begin
  begin
    create role meshforge_app nologin;
  exception
    when duplicate_object or unique_violation then null;
    when insufficient_privilege then
      raise notice 'no right to create the role meshforge_app: the service runs as the owner';
      return;
  end;
  execute format('grant meshforge_app to %I', current_user);
  grant usage on schema public to meshforge_app;
  grant select on all tables in schema public to meshforge_app;
  grant update (name, tier, tier_until) on accounts to meshforge_app;
  grant update (last_used_at) on api_keys to meshforge_app;
  grant insert, update on capabilities to meshforge_app;
  grant insert, update on artifacts to meshforge_app;
  grant insert, update, delete on rate_windows, workers to meshforge_app;
  revoke execute on function finish_calls(call_end[], bytea), shift_lanes(lane_shift[]), requeue_calls(text[]),
    apply_effects(call_effect[]), manage_account(text, text) from public;
end $$;
