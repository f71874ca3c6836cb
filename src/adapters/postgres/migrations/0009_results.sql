-- What is large and goes: the outputs and events of calls. Rows of calls stay for good. Both tables are divided by
-- ranges of the call's id, which begins with its time of making, so that what has served its time is dropped and not
-- deleted row by row. Partitions are made ahead (make_partitions); the default ones take what comes from hosts whose
-- clock is off.

-- What a call gave, as canonical JSON, in one of three places: here as it is, here as an LZ4 block after its length, or
-- in the artifact that the reference names.
create table call_outputs (
  call_id text collate "C" not null,
  output text,
  output_lz4 bytea,
  output_ref text,
  primary key (call_id),
  check (num_nonnulls(output, output_lz4, output_ref) = 1)
) partition by range (call_id);
-- The server's own compression would take more time than settling the call.
alter table call_outputs alter column output set storage external;
alter table call_outputs alter column output_lz4 set storage external;
create table call_outputs_default partition of call_outputs default;

-- What is told of a call while it is under way, numbered from 1. What its row says already is not stored a second time:
-- see read_events.
create table events (
  stream_id text collate "C" not null, -- the id of the call that the stream belongs to
  seq integer not null check (seq >= 1),
  type text not null check (char_length(type) between 1 and 40),
  data text,
  created_at timestamptz not null default clock_now(),
  primary key (stream_id, seq)
) partition by range (stream_id);
alter table events alter column data set storage external;
create unique index events_one_last on events (stream_id) where type in ('completed', 'failed');
create table events_default partition of events default;

-- How far results have gone: no longer kept are those of calls that ended before kept_from, and the partitions of calls
-- whose ids are smaller than kept_from_id.
create table retention (
  only_row boolean primary key default true check (only_row),
  kept_from_id text collate "C" not null,
  kept_from timestamptz not null
);
insert into retention (kept_from_id, kept_from) values ('', '-infinity');
