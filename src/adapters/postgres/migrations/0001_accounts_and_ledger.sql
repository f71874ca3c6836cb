-- Accounts, their keys, and the append-only ledger. Amounts are whole units: MESH as they are, USD in micro-dollars.

create table accounts (
  id text collate "C" primary key,
  handle text not null unique,
  name text not null,
  tier text not null default 'free' check (tier in ('free', 'vip')),
  tier_until timestamptz,
  created_at timestamptz not null default clock_timestamp()
);

-- A cache of each ledger's tip: it can only say what the last entry says (see balance_is_tip).
-- 9e15 keeps every amount exact in a JavaScript number.
create table balances (
  account_id text collate "C" not null references accounts,
  currency text not null check (currency in ('MESH', 'USD')),
  amount bigint not null default 0 check (amount between 0 and 9000000000000000),
  entries bigint not null default 0,
  primary key (account_id, currency)
) with (fillfactor = 70);

create table api_keys (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts,
  name text not null,
  prefix text not null,
  sha256 bytea not null unique,
  limit_currency text check (limit_currency in ('MESH', 'USD')),
  limit_amount bigint check (limit_amount >= 0),
  limit_period text check (limit_period in ('day', 'month', 'total')),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  check (num_nulls(limit_currency, limit_amount, limit_period) in (0, 3))
);
create index api_keys_of_account on api_keys (account_id, id);

-- What a key with a spend limit has spent in a window of its period (UTC day, UTC month, or for good).
create table key_spend (
  key_id text collate "C" not null references api_keys,
  window_start date not null,
  spent bigint not null check (spent >= 0),
  primary key (key_id, window_start)
);

create table capabilities (
  slug text primary key,
  provider_id text collate "C" references accounts, -- null: the service's own
  version text not null,
  active boolean not null default true,
  created_at timestamptz not null default clock_timestamp()
);

-- Totals in shards, so that concurrent calls of one capability do not wait for one row.
create table capability_counts (
  slug text not null,
  shard integer not null,
  calls bigint not null,
  calls_external bigint not null,
  primary key (slug, shard)
) with (fillfactor = 50);

-- Accounts and calls are never deleted, and ledger_continues looks for them for a whole list of entries at once: a foreign
-- key would for each.
create table ledger (
  id bigint generated always as identity primary key,
  account_id text collate "C" not null,
  currency text not null check (currency in ('MESH', 'USD')),
  seq bigint not null check (seq >= 1),
  kind text not null check (kind in ('grant', 'purchase', 'charge', 'refund', 'earning', 'fee', 'adjustment')),
  delta bigint not null check (delta <> 0),
  balance_after bigint not null check (balance_after >= 0),
  call_id text collate "C",
  reference text,
  memo text,
  created_at timestamptz not null default clock_timestamp(),
  unique (account_id, currency, seq),
  check (case kind
    when 'charge' then delta < 0 and call_id is not null
    when 'refund' then delta > 0 and call_id is not null
    when 'earning' then delta > 0 and call_id is not null
    when 'fee' then delta < 0
    when 'adjustment' then true
    else delta > 0
  end)
);
create unique index ledger_one_charge on ledger (call_id) where kind = 'charge';
create unique index ledger_one_refund on ledger (call_id) where kind = 'refund';
create unique index ledger_one_earning on ledger (call_id) where kind = 'earning';
create unique index ledger_one_reference on ledger (reference) where reference is not null;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op) using errcode = 'restrict_violation';
end $$;
create trigger ledger_append_only before update or delete on ledger for each row execute function refuse_change();
create trigger ledger_no_truncate before truncate on ledger for each statement execute function refuse_change();
create trigger balances_no_delete before delete on balances for each row execute function refuse_change();
create trigger balances_no_truncate before truncate on balances for each statement execute function refuse_change();

-- At commit a balance is what the last entry of its ledger says: a read-then-write debit cannot be committed.
create function balance_is_tip() returns trigger language plpgsql security definer
  set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  held record;
begin
  select b.entries, b.amount, l.seq, l.balance_after into held
    from balances b
    left join lateral (
      select t.seq, t.balance_after from ledger t
       where t.account_id = b.account_id and t.currency = b.currency order by t.seq desc limit 1) l on true
   where b.account_id = new.account_id and b.currency = new.currency;
  if held.entries <> coalesce(held.seq, 0) or held.amount <> coalesce(held.balance_after, 0) then
    raise exception 'the % balance of % is not what its ledger says', new.currency, new.account_id
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create constraint trigger balance_is_tip after insert or update on balances
  deferrable initially deferred for each row execute function balance_is_tip();

-- Books entries that are not part of a call: grants, purchases, adjustments. A reference is booked once, however
-- often its event is delivered. Verdicts: booked, duplicate, unknown_account, insufficient_funds.
create function post_entry(
  p_account text, p_currency text, p_kind text, p_delta bigint, p_reference text, p_memo text,
  out verdict text, out balance bigint
) language plpgsql security definer set search_path = public, pg_temp as $$
declare
  held balances;
begin
  select * into held from balances b where b.account_id = p_account and b.currency = p_currency for update;
  if not found then verdict := 'unknown_account'; return; end if;
  balance := held.amount;
  if p_reference is not null and exists (select from ledger l where l.reference = p_reference) then
    verdict := 'duplicate'; return;
  end if;
  if held.amount + p_delta < 0 then verdict := 'insufficient_funds'; return; end if;
  balance := held.amount + p_delta;
  update balances b set amount = post_entry.balance, entries = b.entries + 1
   where b.account_id = p_account and b.currency = p_currency;
  insert into ledger (account_id, currency, seq, kind, delta, balance_after, reference, memo)
  values (p_account, p_currency, held.entries + 1, p_kind, p_delta, balance, p_reference, p_memo);
  verdict := 'booked';
end $$;

-- Opens an account with its first key and its starter grants. Verdicts: created, handle_taken.
create function open_account(
  p_id text, p_handle text, p_name text, p_key_id text, p_key_prefix text, p_key_sha256 bytea,
  p_starter_mesh bigint, p_starter_usd bigint
) returns text language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into accounts (id, handle, name) values (p_id, p_handle, p_name) on conflict (handle) do nothing;
  if not found then return 'handle_taken'; end if;
  insert into balances (account_id, currency) values (p_id, 'MESH'), (p_id, 'USD');
  insert into api_keys (id, account_id, name, prefix, sha256)
  values (p_key_id, p_id, 'first', p_key_prefix, p_key_sha256);
  if p_starter_mesh > 0 then
    perform post_entry(p_id, 'MESH', 'grant', p_starter_mesh, null, 'starter grant');
  end if;
  if p_starter_usd > 0 then
    perform post_entry(p_id, 'USD', 'grant', p_starter_usd, null, 'starter grant');
  end if;
  return 'created';
end $$;

-- Gives an account a further key, unless it has p_max already. Those who ask at the same time follow one another.
create function create_key(
  p_id text, p_account text, p_name text, p_prefix text, p_sha256 bytea, p_expires_at timestamptz,
  p_limit_currency text, p_limit_amount bigint, p_limit_period text, p_max integer
) returns setof api_keys language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from accounts a where a.id = p_account for no key update;
  if (select count(*) from api_keys k where k.account_id = p_account and k.revoked_at is null) >= p_max then return; end if;
  return query
    insert into api_keys (id, account_id, name, prefix, sha256, expires_at, limit_currency, limit_amount, limit_period)
    values (p_id, p_account, p_name, p_prefix, p_sha256, p_expires_at, p_limit_currency, p_limit_amount, p_limit_period)
    returning *;
end $$;
