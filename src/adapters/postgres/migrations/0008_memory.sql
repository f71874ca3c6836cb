-- Memories: what an account, or one of its characters, was told to keep. One table is the truth; a semantic memory
-- server, where there is one, only ranks what stands here.

-- A text as it is searched: capitals and small letters, and the forms of one letter (NFKC), are the same.
create function memory_fold(p_text text) returns text language sql immutable strict parallel safe
  as $$ select lower(normalize(p_text, nfkc)) $$;

create table memories (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts,
  character text collate "C" not null check (char_length(character) <= 48), -- empty: the account itself
  content text not null check (char_length(content) between 1 and 2000),
  folded text collate "C" not null generated always as (memory_fold(content)) stored,
  words tsvector not null generated always as (to_tsvector('english', content)) stored,
  recalls integer not null default 0,
  call_id text collate "C", -- the call that stored it; null: brought in by an operator
  created_at timestamptz not null default clock_timestamp(),
  index_due_at timestamptz default clock_timestamp() -- when a semantic server is to be told of it; null: it has been
) with (fillfactor = 80);
-- Every search reads one scope, newest first, and an account has a limit: see docs/memory.md. An index of words or
-- trigrams would be one over all accounts, and read for one account what all others have stored.
create index memories_of_scope on memories (account_id, character, created_at, id);
create index memories_to_index on memories (index_due_at) where index_due_at is not null;

-- Recalls of memories whose row another transaction held at that moment. They are added to the row with its next
-- recall: so that no effect ever waits for a row.
create table memory_recalls (
  account_id text collate "C" not null,
  memory_id text collate "C" not null
);
create index memory_recalls_of_memory on memory_recalls (account_id, memory_id);

-- data: id, character, content
create function effect_memory_store(p_call text, p_account text, p_data jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into memories (id, account_id, character, content, call_id)
  values (p_data ->> 'id', p_account, p_data ->> 'character', p_data ->> 'content', p_call);
end $$;

-- data: ids. Each counts once; ids of other accounts count nowhere.
create function effect_memory_recall(p_call text, p_account text, p_data jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  recalled text[] := array(select jsonb_array_elements_text(p_data -> 'ids'));
  free text[];
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
end $$;

-- Memory gravity: each memory weighs 1 and once more for each recall, and half as much every 30 days.
create function memory_decay(p_created timestamptz, p_at timestamptz) returns double precision language sql immutable
  as $$ select power(0.5::double precision, extract(epoch from p_at - p_created)::double precision / 86400 / 30) $$;

create function memory_gravity(p_account text, p_at timestamptz) returns numeric language sql stable as $$
  select round((
    (select coalesce(sum((1 + m.recalls) * memory_decay(m.created_at, p_at)), 0)
       from memories m where m.account_id = p_account)
    + (select coalesce(sum(memory_decay(m.created_at, p_at)), 0)
         from memory_recalls r
         cross join lateral (select k.created_at from memories k where k.id = r.memory_id limit 1) m
        where r.account_id = p_account)
  )::numeric, 3)
$$;

-- The running service reads, and notes what the semantic server was told; memories are made by effects, and by nobody
-- else.
do $$
begin
  if exists (select from pg_roles where rolname = 'meshforge_app') then
    grant select on memories, memory_recalls to meshforge_app;
    grant update (index_due_at) on memories to meshforge_app;
  end if;
  revoke execute on function effect_memory_store(text, text, jsonb), effect_memory_recall(text, text, jsonb) from public;
end $$;
