-- What all processes share about the models: whose turn it is at each tier, and whether its server answers. Unlogged:
-- after a crash of the database the processes say again what they hold, and find out again who answers.

-- One row for each request that waits for its turn at a tier, or has it. A holder is a process; without a sign of life
-- for the length of a lease its rows count no more.
create unlogged table model_slots (
  id text collate "C" primary key,
  tier text not null,
  holder text not null,
  ticket bigint generated always as identity,
  held boolean not null default false,
  lease_until timestamptz not null
) with (fillfactor = 50);
create index model_slots_line on model_slots (tier, ticket);

-- Whether a tier's server is asked. failures counts those in a row; open_until is null while it is asked as ever.
create unlogged table model_circuits (
  tier text primary key,
  failures integer not null default 0,
  times_opened integer not null default 0, -- in a row
  open_until timestamptz,
  probe text, -- the one request that tries whether it answers again
  probe_until timestamptz
);
