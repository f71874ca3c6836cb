-- Runs: calls that are made of other calls. A run's rules decide, in an advance, what is called next; only an advance
-- changes these rows. The end of a node's call is mailed to its run, in the transaction in which it ends, and touches no
-- row that others do.

create table runs (
  id text collate "C" primary key, -- of the call that was paid, or, within a run, of the node's
  account_id text collate "C" not null,
  rules integer not null, -- the version of the rules that it began with
  depth integer not null check (depth >= 1),
  document text, -- canonical JSON; what the rules keep of it
  version bigint not null default 0, -- how often it has advanced
  nodes integer not null default 0,
  open integer not null default 0, -- nodes that are not final
  deadline_at timestamptz not null,
  due_at timestamptz, -- when it is to be advanced though it has no mail: its beginning
  repairs integer not null default 0, -- how often an advance was missed and made good
  created_at timestamptz not null,
  ended_at timestamptz
) with (fillfactor = 70);
create index runs_due on runs (due_at) where due_at is not null;
create index runs_deadline on runs (deadline_at) where ended_at is null;
create index runs_open_of_account on runs (account_id) where ended_at is null;
create index runs_ended on runs (ended_at) where ended_at is not null;

create table run_nodes (
  run_id text collate "C" not null,
  name text collate "C" not null,
  nth integer not null, -- what a node needs stands before it
  slug text not null,
  version text, -- of the capability that was called
  needs text[] not null,
  input text not null, -- canonical JSON, with bindings in it
  on_failure text not null check (on_failure in ('end', 'skip')),
  state text not null check (state in ('waiting', 'started', 'succeeded', 'failed', 'skipped', 'cancelled')),
  call_id text collate "C" unique,
  error_code text,
  error_message text,
  primary key (run_id, name),
  unique (run_id, nth),
  check (state not in ('started', 'succeeded') or call_id is not null),
  check ((state = 'failed') = (error_code is not null))
) with (fillfactor = 70);
create index run_nodes_started on run_nodes (call_id) where state = 'started';

-- Each said once, and deleted by the advance that used it. No foreign key: it would lock the run.
create table run_mail (
  run_id text collate "C" not null,
  call_id text collate "C" not null,
  kind text not null check (kind in ('ended', 'cancel', 'deadline')),
  created_at timestamptz not null,
  primary key (run_id, call_id, kind)
);
create index run_mail_age on run_mail (created_at);

-- What an advance says of one run, and the calls that it makes.
create type run_change as (
  ord integer, id text, version bigint, document text, nodes integer, open integer, cancels text[], ends boolean
);
create type run_node_change as (
  run_id text, name text, nth integer, slug text, version text, needs text[], input text, on_failure text, state text,
  call_id text, error_code text, error_message text
);
create type run_call as (
  run_id text, id text, slug text, version text, pool text, state text, max_attempts integer, timeout_ms integer,
  deadline_ms integer, input text, input_sha256 text, rules integer
);
