-- Whether a consent lets an account test an asset, at this moment: `valid`, or why not. A consent of another account is
-- to this one as if it were not there.
create or replace function audit_consent_verdict(p_id text, p_account text, p_asset text) returns text
language sql stable set search_path = public, pg_temp as $$
  select coalesce((
    select case
             when c.expires_at <= clock_now() then 'expired'
             when c.asset <> p_asset then 'mismatch'
             else 'valid'
           end
      from audit_consents c
     where c.id = p_id and c.account_id = p_account
  ), 'required')
$$;
