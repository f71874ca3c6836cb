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
  created_at timestamptz not null default clock_now(),
  index_due_at timestamptz default clock_now() -- when a semantic server is to be told of it; null: it has been
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

-- The memory gravity of an account, as it was at that moment: all of it fades alike, so one figure says it, and reading
-- it does not read the memories.
create table minds (
  account_id text collate "C" primary key references accounts,
  weight double precision not null,
  at timestamptz not null
) with (fillfactor = 70);

-- What came to a mind while another transaction held its row; added to it with the next change.
create table mind_changes (
  account_id text collate "C" not null,
  weight double precision not null,
  at timestamptz not null
);
create index mind_changes_of_account on mind_changes (account_id);
