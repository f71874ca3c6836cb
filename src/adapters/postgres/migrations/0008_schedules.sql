-- What is done again and again, and by whom just now: one row for each job that any process ever brought. While a run
-- is under way, leased_until says how long it is its process's alone, and fence which run it is.
create table schedules (
  name text collate "C" primary key,
  every_ms integer not null check (every_ms > 0),
  due_at timestamptz not null,
  leased_until timestamptz, -- null: nobody runs it
  fence bigint not null default 0,
  last_ran_at timestamptz,
  last_failed_at timestamptz
) with (fillfactor = 50);
