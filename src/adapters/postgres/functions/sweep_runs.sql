-- Finds the runs that nobody advances though they should be: whose mail or beginning has waited for p_age_ms, and whose
-- deadline has passed, which is mailed to them. `repair` says that an advance was missed; the run counts it.
create or replace function sweep_runs(p_age_ms integer, p_limit integer) returns table (id text, repair boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at timestamptz := clock_now();
  old timestamptz := at - p_age_ms * interval '1 ms';
  late text[];
  missed text[];
begin
  late := array(
    select r.id from runs r where r.ended_at is null and r.deadline_at < at
       and not exists (select from run_mail m where m.run_id = r.id and m.call_id = r.id and m.kind = 'deadline')
     order by r.deadline_at limit p_limit);
  insert into run_mail (run_id, call_id, kind, created_at) select x, x, 'deadline', at from unnest(late) x
  on conflict do nothing;
  missed := array(
    select m.run_id from (select o.run_id from run_mail o where o.created_at < old order by o.created_at limit p_limit) m
    union
    select d.id from (select r.id from runs r where r.due_at < old order by r.due_at limit p_limit) d);
  update runs r set repairs = r.repairs + 1
   where r.id in (select o.id from runs o where o.id = any (missed) order by o.id for update skip locked);
  return query
    select x, true from unnest(missed) x
    union all
    select x, false from unnest(late) x where x <> all (missed);
end $$;

-- Mails once more the ends that no mail told of. There are none: the end and its mail are one commit.
create or replace function remail_ends(p_age_ms integer, p_limit integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  found_ends integer;
begin
  with lost as (
    select n.run_id, n.call_id from run_nodes n
     cross join lateral (select c.ended_at from calls c where c.id = n.call_id limit 1) c
     where n.state = 'started' and c.ended_at < clock_now() - p_age_ms * interval '1 ms'
       and not exists (select from run_mail m where m.run_id = n.run_id and m.call_id = n.call_id and m.kind = 'ended')
     limit p_limit
  ), mailed as (
    insert into run_mail (run_id, call_id, kind, created_at)
    select l.run_id, l.call_id, 'ended', clock_now() from lost l on conflict do nothing returning 1
  )
  select count(*) into found_ends from mailed;
  return found_ends;
end $$;
