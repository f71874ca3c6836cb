-- One page of each list, newest first, from before an id (null: from the newest on): each walks one index in its order and
-- stops after p_rows, as page_of_calls does and for the same reasons.
create or replace function page_of_receptionists(p_account text, p_before text, p_rows integer) returns setof receptionists
language sql stable set search_path = public, pg_temp set enable_sort = off set enable_incremental_sort = off
  set enable_bitmapscan = off as $$
  select r.* from receptionists r
   where (r.account_id, r.call_id) < (p_account, coalesce(p_before, '~')) and r.account_id >= p_account
   order by r.account_id desc, r.call_id desc limit p_rows
$$;

create or replace function page_of_leads(p_slug text, p_before text, p_rows integer) returns setof receptionist_leads
language sql stable set search_path = public, pg_temp set enable_sort = off set enable_incremental_sort = off
  set enable_bitmapscan = off as $$
  select l.* from receptionist_leads l
   where (l.slug, l.id) < (p_slug, coalesce(p_before, '~')) and l.slug >= p_slug
   order by l.slug desc, l.id desc limit p_rows
$$;
