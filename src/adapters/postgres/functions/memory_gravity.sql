-- Memory gravity: each memory weighs 1 and once more for each recall, and half as much every 30 days.
create or replace function memory_decay(p_created timestamptz, p_at timestamptz) returns double precision language sql immutable
  as $$ select power(0.5::double precision, extract(epoch from p_at - p_created)::double precision / 86400 / 30) $$;

create or replace function memory_gravity(p_account text, p_at timestamptz) returns numeric language sql stable as $$
  select round(coalesce(sum(w.weight * memory_decay(w.at, p_at)), 0)::numeric, 3)
    from (select m.weight, m.at from minds m where m.account_id = p_account
          union all
          select c.weight, c.at from mind_changes c where c.account_id = p_account) w
$$;

-- Adds a weight, as of now, to the mind of an account. Never waits: what another transaction holds is changed later.
create or replace function change_mind(p_account text, p_weight double precision, p_at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from minds m where m.account_id = p_account for no key update skip locked;
  if not found then
    insert into mind_changes (account_id, weight, at) values (p_account, p_weight, p_at);
    return;
  end if;
  with earlier as (
    delete from mind_changes c where c.account_id = p_account returning c.weight, c.at
  )
  update minds m
     set at = p_at,
         weight = m.weight * memory_decay(m.at, p_at) + p_weight
                  + coalesce((select sum(e.weight * memory_decay(e.at, p_at)) from earlier e), 0)
   where m.account_id = p_account;
end $$;

-- What memories weigh that come or go; how often they are recalled is added by who recalls them.
create or replace function memories_change_minds() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at timestamptz := clock_now();
  a record;
begin
  for a in
    select c.account_id, sum((1 + c.recalls) * memory_decay(c.created_at, at)) as weight
      from changed c group by 1 order by 1
  loop
    perform change_mind(a.account_id, case tg_op when 'DELETE' then -a.weight else a.weight end, at);
  end loop;
  return null;
end $$;
