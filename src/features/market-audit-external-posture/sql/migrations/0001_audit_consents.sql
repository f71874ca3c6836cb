-- Consents to audits: who attested, when, that a host is theirs and may be tested. They are kept as they were given:
-- nothing updates or deletes them, and how long they are good for is said here alone.
create table audit_consents (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts,
  asset text collate "C" not null check (asset = lower(asset) and length(asset) between 1 and 253),
  given_at timestamptz not null default clock_now(),
  expires_at timestamptz not null default clock_now() + interval '24 hours'
);
create index audit_consents_of_account on audit_consents (account_id, id);
