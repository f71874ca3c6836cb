-- The event streams that are open at this moment, over all processes: what bounds them for each account. They are rows
-- for as long as the process that holds them gives signs of life.
create unlogged table stream_holders (
  holder text collate "C" primary key,
  leased_until timestamptz not null
);

create unlogged table open_streams (
  id text collate "C" primary key,
  scope text collate "C" not null, -- whose they are: an account, or what else has a quota of its own
  holder text collate "C" not null references stream_holders on delete cascade
);
create index open_streams_of_scope on open_streams (scope);
create index open_streams_of_holder on open_streams (holder);
