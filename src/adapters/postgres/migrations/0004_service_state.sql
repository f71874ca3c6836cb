-- What the service keeps besides money and calls.

-- Stored files: the bytes lie in the artifact store under their hash; this says what they are. The same bytes may be
-- stored under several names: each is an address of its own, with a type of its own, so that nobody decides for others
-- under which name and type they find what they made.
create table artifacts (
  sha256 text collate "C" not null,
  mime text not null,
  filename text not null,
  bytes bigint not null check (bytes >= 0),
  created_at timestamptz not null default clock_now(),
  primary key (sha256, filename)
);

-- Fixed windows of the rate limits, shared by all processes.
create unlogged table rate_windows (
  key text collate "C" not null,
  ends_at timestamptz not null,
  hits integer not null,
  primary key (key)
);

create index rate_windows_age on rate_windows (ends_at);

-- The worker processes that live: each says so once a second.
create unlogged table workers (
  name text not null,
  pool text not null,
  slots integer not null,
  running integer not null,
  seen_at timestamptz not null,
  primary key (name, pool)
);
