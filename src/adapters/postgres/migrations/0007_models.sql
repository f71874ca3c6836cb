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

-- A process says what it has done with, what it holds and what it waits for, and renews the leases of both. Turns are
-- given in the order of asking, up to p_limit at once. Returns the process's own requests that have their turn now, and
-- of other processes those that were given one: their ids are theirs to ask for.
create function take_model_turns(
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
     and (s.id = any (p_done) or (s.holder <> p_holder and s.lease_until < clock_timestamp()));
  insert into model_slots (id, tier, holder, held, lease_until)
  select m.id, p_tier, p_holder, m.held, clock_timestamp() + p_lease_ms * interval '1 ms'
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

-- Whether a tier's server is asked. failures counts those in a row; open_until is null while it is asked as ever.
create unlogged table model_circuits (
  tier text primary key,
  failures integer not null default 0,
  times_opened integer not null default 0, -- in a row
  open_until timestamptz,
  probe text, -- the one request that tries whether it answers again
  probe_until timestamptz
);

-- Whether a request may be sent: 'closed' (yes), 'open' (no, for wait_ms), 'probe' (yes, and on it depends whether
-- others may), 'probing' (not while another one's probe is under way). clean says that nothing has failed lately.
create function enter_model_circuit(
  p_tier text, p_request text, p_probe_ms integer, out verdict text, out wait_ms integer, out clean boolean
) language plpgsql as $$
declare
  c model_circuits;
begin
  select * into c from model_circuits m where m.tier = p_tier;
  clean := c.tier is null or (c.failures = 0 and c.open_until is null);
  wait_ms := 0;
  if c.open_until is null then
    verdict := 'closed';
  elsif c.open_until > clock_timestamp() then
    verdict := 'open';
    wait_ms := ceil(extract(epoch from c.open_until - clock_timestamp()) * 1000);
  else
    update model_circuits m
       set probe = p_request, probe_until = clock_timestamp() + p_probe_ms * interval '1 ms'
     where m.tier = p_tier and m.open_until <= clock_timestamp()
       and (m.probe_until is null or m.probe_until < clock_timestamp());
    verdict := case when found then 'probe' else 'probing' end;
  end if;
end $$;

-- Notes how a request went: 'good' closes the circuit; 'bad' opens it when p_threshold in a row were, or the probe was;
-- 'unusable' opens it at once; 'unknown' says nothing, and lets another one be the probe. Each time in a row that it
-- opens, it stays open twice as long.
create function note_model_circuit(
  p_tier text, p_request text, p_outcome text, p_threshold integer, p_open_ms integer, p_max_open_ms integer
) returns void language plpgsql as $$
declare
  c model_circuits;
begin
  if p_outcome = 'good' then
    delete from model_circuits m where m.tier = p_tier;
    return;
  end if;
  if p_outcome = 'unknown' then
    update model_circuits m set probe = null, probe_until = null where m.tier = p_tier and m.probe = p_request;
    return;
  end if;
  insert into model_circuits (tier) values (p_tier) on conflict do nothing;
  select * into c from model_circuits m where m.tier = p_tier for update;
  -- What was under way when it opened says nothing new.
  if c.open_until is not null and c.probe is distinct from p_request then
    return;
  end if;
  if c.open_until is null and p_outcome = 'bad' and c.failures + 1 < p_threshold then
    update model_circuits m set failures = m.failures + 1 where m.tier = p_tier;
  else
    update model_circuits m
       set failures = 0, times_opened = m.times_opened + 1, probe = null, probe_until = null,
           open_until = clock_timestamp()
             + least(p_max_open_ms, p_open_ms * 2 ^ least(m.times_opened, 20)) * interval '1 ms'
     where m.tier = p_tier;
  end if;
end $$;

do $$
begin
  if exists (select from pg_roles where rolname = 'meshforge_app') then
    grant select, insert, update, delete on model_slots, model_circuits to meshforge_app;
  end if;
end $$;
