-- The time, for all SQL: nothing else asks the server's clock, so that its owner can move it, which tests do. The planner
-- puts the body in place of the call, so it costs nothing. A column is compared with (select clock_now()): a volatile
-- value cannot be looked up in an index.
create function clock_now() returns timestamptz language sql volatile parallel safe as $$ select clock_timestamp() $$;

-- Accounts, their keys, and the append-only ledger. Amounts are whole units: MESH as they are, USD in micro-dollars.

create table accounts (
  id text collate "C" primary key,
  handle text not null unique,
  name text not null,
  tier text not null default 'free' check (tier in ('free', 'vip')),
  tier_until timestamptz,
  created_at timestamptz not null default clock_now()
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
  created_at timestamptz not null default clock_now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  check (num_nulls(limit_currency, limit_amount, limit_period) in (0, 3))
);
create index api_keys_of_account on api_keys (account_id, id);
create index api_keys_held on api_keys (account_id, id) where revoked_at is null;

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
  created_at timestamptz not null default clock_now()
);

-- Totals in shards, so that concurrent calls of one capability do not wait for one row, and how its last calls ended, of
-- those that say something of it (see counted_end): the newest first, each as milliseconds since 1970 times two, and one
-- more where it succeeded.
create table capability_counts (
  slug text not null,
  shard integer not null,
  calls bigint not null,
  calls_external bigint not null,
  recent bigint[] not null default '{}',
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
  created_at timestamptz not null default clock_now(),
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
