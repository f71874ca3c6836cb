-- A process says what it has done with, what it holds and what it waits for, and renews the leases of both. Turns are
-- given in the order of asking, up to p_limit at once. Returns the process's own requests that have their turn now, and
-- of other processes those that were given one: their ids are theirs to ask for.
create or replace function take_model_turns(
  p_tier text, p_holder text, p_limit integer, p_lease_ms integer, p_done text[], p_held text[], p_waiting text[]
) returns table (holder text, id text)
language plpgsql as $$
declare
  given text[];
begin
  -- One at a time: of two that count at once, each would give away the last turn.
  perform pg_advisory_xact_lock(hashtextextended('model_slots ' || p_tier, 0));
  delete from model_slots s
   where s.tier = p_tier
     and (s.id = any (p_done) or (s.holder <> p_holder and s.lease_until < clock_now()));
  insert into model_slots (id, tier, holder, held, lease_until)
  select m.id, p_tier, p_holder, m.held, clock_now() + p_lease_ms * interval '1 ms'
    from (select h.id, true as held, 0 as place from unnest(p_held) h(id)
          union all
          select w.id, false, w.place from unnest(p_waiting) with ordinality w(id, place)) m
   order by m.held desc, m.place
  on conflict on constraint model_slots_pkey do update set lease_until = excluded.lease_until;
  with free as (
    select greatest(0, p_limit - count(*)) as turns from model_slots s where s.tier = p_tier and s.held
  ), next as (
    select s.id from model_slots s
     where s.tier = p_tier and not s.held
     order by s.ticket limit (select turns from free)
  ), turned as (
    update model_slots s set held = true from next n where s.id = n.id returning s.holder
  )
  select array_agg(distinct t.holder) into given from turned t where t.holder <> p_holder;
  return query
    select g.holder, null::text from unnest(given) g(holder)
    union all
    select s.holder, s.id from model_slots s where s.id = any (p_waiting) and s.held;
end $$;
