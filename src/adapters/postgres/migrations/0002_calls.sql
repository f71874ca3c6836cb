-- Calls, and the lanes from which the pools take them fairly. A call that `waits` is a run: its nodes are calls of their
-- own, and it has no worker, lease or lane; to its caller it runs.

create table calls (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts,
  key_id text collate "C",
  slug text not null,
  version text not null,
  pool text not null,
  priority integer not null default 0,
  price bigint not null check (price between 0 and 1000000000000),
  currency text not null check (currency in ('MESH', 'USD')),
  state text not null check (state in ('queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled', 'expired')),
  attempt integer not null default 0,
  max_attempts integer not null check (max_attempts between 1 and 100),
  worker text,
  lease_until timestamptz,
  run_until timestamptz,
  timeout_ms integer not null check (timeout_ms > 0),
  deadline_at timestamptz not null,
  cancel_requested boolean not null default false,
  events integer not null default 0,
  input text, -- canonical JSON; dropped when the call has ended
  input_sha256 bytea not null,
  warnings text[], -- what its caller is told of the input
  output_sha256 bytea, -- of what the call gave: see call_outputs
  error_code text,
  error_message text,
  input_fault boolean not null default false,
  tokens_prompt integer, -- what models used of it, where one was asked
  tokens_completion integer,
  idempotency_key text,
  request_id text, -- what logs call the request that made it; null: none did
  webhook_url text, -- where its end is posted
  spend_window date,
  surface text not null default 'marketplace', -- where the call came in
  parent_id text collate "C", -- the call that this one is a part of, which paid for it
  trace_context text, -- W3C traceparent of the request
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  check ((state in ('queued', 'running', 'waiting')) = (ended_at is null)),
  check (state <> 'running' or (worker is not null and lease_until is not null and run_until is not null)),
  check ((state = 'succeeded') = (output_sha256 is not null)),
  check ((state in ('failed', 'cancelled', 'expired')) = (error_code is not null)),
  check (ended_at is null or input is null)
) with (fillfactor = 80);
-- The server's own compression would take longer than all the rest of settling a long input.
alter table calls alter column input set storage external;
create index calls_queued on calls (pool, account_id, priority, id) where state = 'queued';
create index calls_running on calls (pool, worker) where state = 'running';
create index calls_deadline on calls (deadline_at) where state in ('queued', 'running');
create index calls_of_account on calls (account_id, id) where parent_id is null; -- as its caller lists them
create index calls_idempotency on calls (account_id, idempotency_key, id) where idempotency_key is not null;

create table idempotency_keys (
  account_id text collate "C" not null,
  key text not null,
  call_id text collate "C" not null,
  request_sha256 bytea not null,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- One row for each account that waits or runs in a pool: what fair share is decided on without reading the queue.
-- head_at is the age of the oldest call that waits in the lane.
create table lanes (
  pool text not null,
  account_id text collate "C" not null,
  priority integer not null,
  queued integer not null check (queued >= 0),
  running integer not null default 0 check (running >= 0),
  head_at timestamptz not null,
  primary key (pool, account_id, priority)
) with (fillfactor = 50);
create index lanes_of_account on lanes (account_id);

-- How the calls of a pool ended in the last minute, in shards and in slots of five seconds that are used again in turn:
-- so many of both that it never grows. waits and runs are samples in milliseconds.
create unlogged table pool_ends (
  pool text not null,
  shard integer not null,
  slot integer not null,
  begins_at timestamptz not null,
  succeeded integer not null,
  failed integer not null,
  waits integer[] not null,
  runs integer[] not null,
  primary key (pool, shard, slot)
) with (fillfactor = 50);
