-- The running service reads, and notes what the semantic server was told; memories are made by effects, and by nobody
-- else.
do $$
begin
  if exists (select from pg_roles where rolname = 'meshforge_app') then
    grant select on memories, memory_recalls, minds, mind_changes to meshforge_app;
    grant update (index_due_at) on memories to meshforge_app;
  end if;
  revoke execute on function effect_memory_store(text, text, jsonb), effect_memory_recall(text, text, jsonb),
    change_mind(text, double precision, timestamptz) from public;
end $$;
