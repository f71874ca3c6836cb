-- Sees to it that these jobs have rows, with these pauses. A new one is due at once.
create or replace function enter_schedules(p_names text[], p_every_ms integer[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into schedules as s (name, every_ms, due_at)
  select j.name, j.every_ms, clock_now() from unnest(p_names, p_every_ms) j(name, every_ms) order by j.name
  on conflict (name) do update set every_ms = excluded.every_ms where s.every_ms <> excluded.every_ms
$$;
