-- Where the partitions of outputs and events begin: at the week of p_at (they begin on Mondays, UTC), and as the
-- smallest call id that can be made from then on. An id is `call_` and a UUIDv7, whose first 48 bits are milliseconds.
create or replace function partition_week(p_at timestamptz) returns timestamptz language sql stable as $$
  select date_trunc('week', p_at at time zone 'UTC') at time zone 'UTC'
$$;

create or replace function first_call_id(p_at timestamptz) returns text language sql stable as $$
  select 'call_' || lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0')
$$;

-- Makes the partitions of this week and the next ones, where they are missing. A week for which the default partition
-- holds rows already (of a host whose clock is ahead) goes on there. Returns how many were made.
create or replace function make_partitions(p_weeks_ahead integer) returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  week timestamptz;
  parent text;
  part text;
  strays boolean;
  made integer := 0;
begin
  -- One at a time: two that make the same one would fail.
  perform pg_advisory_xact_lock(hashtext('meshforge.partitions'), 0);
  for n in 0 .. p_weeks_ahead loop
    week := partition_week(clock_now()) + n * interval '7 days';
    foreach parent in array array['call_outputs', 'events'] loop
      part := parent || to_char(week at time zone 'UTC', '"_"YYYYMMDD');
      continue when to_regclass(part) is not null;
      execute format('select exists (select from %I where %I >= $1 and %2$I < $2)', parent || '_default',
                     case parent when 'events' then 'stream_id' else 'call_id' end)
         into strays using first_call_id(week), first_call_id(week + interval '7 days');
      continue when strays;
      -- Made by itself and then attached, which holds up nobody who writes to another partition.
      execute format('create table %I (like %I including all)', part, parent);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part,
                     first_call_id(week), first_call_id(week + interval '7 days'));
      if exists (select from pg_roles where rolname = 'meshforge_app') then
        execute format('grant select on %I to meshforge_app', part);
      end if;
      made := made + 1;
    end loop;
  end loop;
  return made;
end $$;
