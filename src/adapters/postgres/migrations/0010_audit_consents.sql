-- Consents to audits: who attested, when, that a host is theirs and may be tested. They are kept as they were given:
-- nothing updates or deletes them, and how long they are good for is said here alone.
create table audit_consents (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts,
  asset text collate "C" not null check (asset = lower(asset) and length(asset) between 1 and 253),
  given_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours'
);
create index audit_consents_of_account on audit_consents (account_id, id);

-- Whether a consent lets an account test an asset, at this moment: `valid`, or why not. A consent of another account is
-- to this one as if it were not there.
create function audit_consent_verdict(p_id text, p_account text, p_asset text) returns text
language sql stable set search_path = public, pg_temp as $$
  select coalesce((
    select case
             when c.expires_at <= clock_timestamp() then 'expired'
             when c.asset <> p_asset then 'mismatch'
             else 'valid'
           end
      from audit_consents c
     where c.id = p_id and c.account_id = p_account
  ), 'required')
$$;

-- The running service gives consents; their times are the database's.
do $$
begin
  if exists (select from pg_roles where rolname = 'meshforge_app') then
    grant select, insert (id, account_id, asset) on audit_consents to meshforge_app;
  end if;
end $$;
