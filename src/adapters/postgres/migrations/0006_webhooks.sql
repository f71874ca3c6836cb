-- Outgoing webhooks: what signs them, and what is still to be sent.

-- The secrets that sign an account's webhooks. They stand here as they are and not as hashes: a signature is made with
-- the secret itself. They are shown once, when they are made; nothing but the sender reads them after that.
-- A replaced one signs beside the newest until retires_at, so that a receiver has time to change.
create table webhook_secrets (
  id bigint generated always as identity primary key,
  account_id text collate "C" not null references accounts,
  secret text not null,
  created_at timestamptz not null default clock_timestamp(),
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
  next_at timestamptz default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  check ((status = 'pending') = (next_at is not null))
) with (fillfactor = 80);
create index webhook_deliveries_due on webhook_deliveries (next_at) where status = 'pending';
create index webhook_deliveries_of_account on webhook_deliveries (account_id, call_id);

-- Makes a secret the account's current one. Those before it sign along for p_overlap, at most p_keep of them.
create function rotate_webhook_secret(p_account text, p_secret text, p_overlap interval, p_keep integer) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Two rotations at once follow one another.
  perform from accounts a where a.id = p_account for no key update;
  update webhook_secrets s set retires_at = clock_timestamp() + p_overlap
   where s.account_id = p_account and s.retires_at is null;
  delete from webhook_secrets s
   where s.account_id = p_account
     and (s.retires_at < clock_timestamp()
          or s.id not in (select k.id from webhook_secrets k where k.account_id = p_account order by k.id desc limit p_keep));
  insert into webhook_secrets (account_id, secret) values (p_account, p_secret);
end $$;

-- The running service sends and notes how it went; deliveries are made by the functions that end calls, and by nobody
-- else.
do $$
begin
  if exists (select from pg_roles where rolname = 'meshforge_app') then
    grant select on webhook_secrets, webhook_deliveries to meshforge_app;
    grant update (status, attempts, last_status, next_at) on webhook_deliveries to meshforge_app;
  end if;
end $$;
