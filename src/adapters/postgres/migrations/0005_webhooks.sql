-- Outgoing webhooks: what signs them, and what is still to be sent.

-- The secrets that sign an account's webhooks, sealed with the SECRET_KEY and not hashed: a signature is made with
-- the secret itself. They are shown once, when they are made; nothing but the sender reads them after that.
-- A replaced one signs beside the newest until retires_at, so that a receiver has time to change.
create table webhook_secrets (
  id bigint generated always as identity primary key,
  account_id text collate "C" not null references accounts,
  secret text not null,
  created_at timestamptz not null default clock_now(),
  retires_at timestamptz
);
create index webhook_secrets_of_account on webhook_secrets (account_id, id);
create unique index webhook_secrets_one_current on webhook_secrets (account_id) where retires_at is null;

-- One for each call with a webhook, made in the transaction in which the call ends. While a sender holds one, next_at
-- is the end of its lease, and attempts its fence: when the sender is lost, the delivery is simply due again.
create table webhook_deliveries (
  call_id text collate "C" primary key references calls,
  account_id text collate "C" not null references accounts,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  last_status integer,
  next_at timestamptz default clock_now(),
  created_at timestamptz not null default clock_now(),
  check ((status = 'pending') = (next_at is not null))
) with (fillfactor = 80);
create index webhook_deliveries_due on webhook_deliveries (next_at) where status = 'pending';
create index webhook_deliveries_of_account on webhook_deliveries (account_id, call_id);
