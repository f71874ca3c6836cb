-- What providers list for sale, beside what the folders of the program declare. Who provides it, its version and whether
-- it is quarantined stand in capabilities, as for those.
create table listings (
  slug text primary key references capabilities,
  name text not null check (char_length(name) between 1 and 80),
  category text not null,
  summary text not null check (char_length(summary) <= 4000),
  price bigint not null check (price between 0 and 100000), -- MESH
  handler text not null, -- the room whose handler runs its calls, in the pool forward
  timeout_ms integer not null default 60000 check (timeout_ms between 1000 and 120000),
  input_schema text not null check (octet_length(input_schema) <= 65536),
  output_schema text check (octet_length(output_schema) <= 65536),
  profile text, -- the machine profile, as JSON; null where none is declared
  vectors text not null default '[]', -- golden vectors, as JSON
  reachable_at timestamptz, -- when its upstream last answered well
  delisted_at timestamptz -- since when it is not for sale; its settled calls still end
);
-- What may not be called is asked for each second.
create index capabilities_quarantined on capabilities (slug) where not active;
