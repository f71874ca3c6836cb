-- What state tools change: something small and shared, by its kind and key. The version goes up with each change, also
-- the one that removes the body; a document that was removed long ago is forgotten, and begins anew.
create table documents (
  kind text collate "C" not null check (kind ~ '^[a-z][a-z0-9-]{0,47}$'),
  key text collate "C" not null check (char_length(key) between 1 and 200),
  account_id text collate "C" not null references accounts,
  version bigint not null check (version >= 1),
  body text, -- canonical JSON; null: removed
  updated_at timestamptz not null,
  primary key (kind, key)
) with (fillfactor = 50);
create index documents_of_account on documents (account_id, kind, key);
create index documents_removed on documents (updated_at) where body is null;
