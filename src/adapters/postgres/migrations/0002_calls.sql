-- Calls, their events, and the lanes from which the pools take them fairly. The guards at the end of this file make
-- the database itself refuse what the functions in 0003 would never do.

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
  state text not null check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired')),
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
  -- What the call gave, as canonical JSON, in one of three places: here as it is, here as an LZ4 block after its length,
  -- or in the artifact that the reference names.
  output text,
  output_lz4 bytea,
  output_ref text,
  output_sha256 bytea,
  error_code text,
  error_message text,
  input_fault boolean not null default false,
  tokens_prompt integer, -- what models used of it, where one was asked
  tokens_completion integer,
  idempotency_key text,
  webhook_url text, -- where its end is posted
  spend_window date,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  check ((state in ('queued', 'running')) = (ended_at is null)),
  check (state <> 'running' or (worker is not null and lease_until is not null and run_until is not null)),
  check ((state = 'succeeded') = (output_sha256 is not null)),
  check (num_nonnulls(output, output_lz4, output_ref) = (state = 'succeeded')::integer),
  check ((state in ('failed', 'cancelled', 'expired')) = (error_code is not null)),
  check (state = 'queued' or state = 'running' or input is null)
) with (fillfactor = 80);
-- The server's own compression would take more time than settling the call.
alter table calls alter column output set storage external;
alter table calls alter column output_lz4 set storage external;
create index calls_queued on calls (pool, account_id, priority, id) where state = 'queued';
create index calls_running on calls (pool, worker) where state = 'running';
create index calls_deadline on calls (deadline_at) where state in ('queued', 'running');
create index calls_of_account on calls (account_id, id);
create index calls_idempotency on calls (account_id, idempotency_key) where idempotency_key is not null;
create index calls_reliability on calls (slug, ended_at)
  where state in ('succeeded', 'failed', 'expired') and not input_fault;
create index calls_ended on calls (pool, ended_at) where ended_at is not null;

create table call_events (
  call_id text collate "C" not null,
  seq integer not null,
  type text not null check (type in ('status', 'progress', 'completed', 'failed')),
  data text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (call_id, seq)
);
create unique index call_events_one_last on call_events (call_id) where type in ('completed', 'failed');

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

-- guards ------------------------------------------------------------------------------------------------------------

create trigger call_events_append_only before update or delete on call_events
  for each row execute function refuse_change();
create trigger call_events_no_truncate before truncate on call_events
  for each statement execute function refuse_change();
create trigger calls_no_delete before delete on calls for each row execute function refuse_change();
create trigger calls_no_truncate before truncate on calls for each statement execute function refuse_change();

create function guard_call() returns trigger language plpgsql as $$
begin
  if old.state not in ('queued', 'running') then
    raise exception 'call % has ended as %', old.id, old.state using errcode = 'restrict_violation';
  end if;
  if new.attempt < old.attempt or new.events < old.events then
    raise exception 'call % went back', old.id using errcode = 'restrict_violation';
  end if;
  if (new.id, new.account_id, new.slug, new.price, new.currency, new.input_sha256)
     is distinct from (old.id, old.account_id, old.slug, old.price, old.currency, old.input_sha256) then
    raise exception 'call % cannot become another', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger guard_call before update on calls for each row execute function guard_call();

-- At commit: exactly one charge of the price, and a refund of the price exactly when the call ended without success.
create function call_is_settled() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  c record;
begin
  -- Each entry by its own unique index, which also says that there is no second one.
  select k.id, k.price, k.state,
         coalesce((select -l.delta from ledger l where l.call_id = k.id and l.kind = 'charge'), 0) as paid,
         coalesce((select l.delta from ledger l where l.call_id = k.id and l.kind = 'refund'), 0) as returned
    into c from calls k where k.id = new.id;
  if c.paid <> c.price then
    raise exception 'call % is not charged its price', c.id using errcode = 'integrity_constraint_violation';
  end if;
  if c.state in ('failed', 'cancelled', 'expired') then
    if c.returned <> c.price then
      raise exception 'call % ended as % without its refund', c.id, c.state
        using errcode = 'integrity_constraint_violation';
    end if;
  elsif c.returned <> 0 then
    raise exception 'call % is refunded and %', c.id, c.state using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create constraint trigger call_is_charged after insert on calls
  deferrable initially deferred for each row execute function call_is_settled();
create constraint trigger call_is_settled after update on calls
  deferrable initially deferred for each row
  when (new.state not in ('queued', 'running')) execute function call_is_settled();

-- Each entry continues the one before, is already in the balance, and fits the call that it belongs to.
create function ledger_continues() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  broken record;
begin
  select a.account_id, a.currency, a.seq into broken
    from added a
    left join lateral (
      select l.balance_after from ledger l
       where l.account_id = a.account_id and l.currency = a.currency and l.seq = a.seq - 1 limit 1) p on true
    left join lateral (
      select h.entries from balances h
       where h.account_id = a.account_id and h.currency = a.currency limit 1) b on true
   where coalesce(p.balance_after, case when a.seq = 1 then 0 end) + a.delta is distinct from a.balance_after
      or b.entries is null or b.entries < a.seq
   limit 1;
  if found then
    raise exception 'entry % of the % ledger of % does not continue it', broken.seq, broken.currency, broken.account_id
      using errcode = 'integrity_constraint_violation';
  end if;
  select a.kind, a.call_id into broken
    from added a left join lateral (select k.* from calls k where k.id = a.call_id limit 1) c on true
   where a.call_id is not null
     and (c.id is null
          or (a.kind in ('charge', 'refund')
              and (c.account_id <> a.account_id or c.currency <> a.currency or abs(a.delta) <> c.price))
          or (a.kind = 'refund' and c.state not in ('failed', 'cancelled', 'expired')))
   limit 1;
  if found then
    raise exception 'a % does not fit call %', broken.kind, broken.call_id
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger ledger_continues after insert on ledger referencing new table as added
  for each statement execute function ledger_continues();

-- Each event belongs to a call. As for the ledger, one look for a whole list.
create function events_belong() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  stray text;
begin
  select a.call_id into stray from added a where (select c.id from calls c where c.id = a.call_id) is null limit 1;
  if found then
    raise exception 'there is no call % for this event', stray using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger events_belong after insert on call_events referencing new table as added
  for each statement execute function events_belong();
