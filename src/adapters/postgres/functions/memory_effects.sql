-- What agent-memory leaves behind. data: id, character, content
create or replace function effect_memory_store(p_call text, p_account text, p_data jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into memories (id, account_id, character, content, call_id)
  values (p_data ->> 'id', p_account, p_data ->> 'character', p_data ->> 'content', p_call);
end $$;

-- data: ids. Each counts once; ids of other accounts count nowhere.
create or replace function effect_memory_recall(p_call text, p_account text, p_data jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  recalled text[] := array(select jsonb_array_elements_text(p_data -> 'ids'));
  free text[];
  at timestamptz := clock_now();
  weight double precision;
begin
  free := array(
    select m.id from memories m where m.id = any (recalled) and m.account_id = p_account
     for no key update skip locked);
  with earlier as (
    delete from memory_recalls r where r.account_id = p_account and r.memory_id = any (free) returning r.memory_id
  )
  update memories m set recalls = m.recalls + 1 + (select count(*) from earlier e where e.memory_id = m.id)
   where m.id = any (free);
  insert into memory_recalls (account_id, memory_id)
  select m.account_id, m.id from memories m
   where m.id = any (recalled) and m.account_id = p_account and m.id <> all (free);
  select sum(memory_decay(m.created_at, at)) into weight
    from memories m where m.id = any (recalled) and m.account_id = p_account;
  if weight is not null then perform change_mind(p_account, weight, at); end if;
end $$;
