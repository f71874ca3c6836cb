-- One page of each list that an account reads, newest first, from before an id (null: from the newest on). Each walks one
-- index in its order and stops after p_rows, whatever the server knows of its tables: sorting is off here, and the bounds
-- and the order name all columns of that index. With the account as an equality the planner may walk the primary key
-- instead, through the rows of everybody else.
-- What is part of a run stands for itself in no list: its caller made the run.
create or replace function page_of_calls(p_account text, p_before text, p_rows integer) returns setof calls
language sql stable set search_path = public, pg_temp set enable_sort = off set enable_incremental_sort = off
  set enable_bitmapscan = off as $$
  select c.* from calls c
   where (c.account_id, c.id) < (p_account, coalesce(p_before, '~')) and c.account_id >= p_account
     and c.parent_id is null
   order by c.account_id desc, c.id desc limit p_rows
$$;

create or replace function page_of_calls_with_key(p_account text, p_key text, p_before text, p_rows integer) returns setof calls
language sql stable set search_path = public, pg_temp set enable_sort = off set enable_incremental_sort = off
  set enable_bitmapscan = off as $$
  select c.* from calls c
   where (c.account_id, c.idempotency_key, c.id) < (p_account, p_key, coalesce(p_before, '~'))
     and (c.account_id, c.idempotency_key) >= (p_account, p_key) and c.idempotency_key is not null
   order by c.account_id desc, c.idempotency_key desc, c.id desc limit p_rows
$$;

create or replace function page_of_deliveries(p_account text, p_before text, p_rows integer) returns setof webhook_deliveries
language sql stable set search_path = public, pg_temp set enable_sort = off set enable_incremental_sort = off
  set enable_bitmapscan = off as $$
  select d.* from webhook_deliveries d
   where (d.account_id, d.call_id) < (p_account, coalesce(p_before, '~')) and d.account_id >= p_account
   order by d.account_id desc, d.call_id desc limit p_rows
$$;

-- Keys as they were made, and of those the ones that were not revoked.
create or replace function page_of_keys(p_account text, p_rows integer) returns setof api_keys
language sql stable set search_path = public, pg_temp set enable_sort = off set enable_incremental_sort = off
  set enable_bitmapscan = off as $$
  select k.* from api_keys k
   where (k.account_id, k.id) < (p_account, '~') and k.account_id >= p_account
   order by k.account_id desc, k.id desc limit p_rows
$$;

create or replace function page_of_held_keys(p_account text, p_rows integer) returns setof api_keys
language sql stable set search_path = public, pg_temp set enable_sort = off set enable_incremental_sort = off
  set enable_bitmapscan = off as $$
  select k.* from api_keys k
   where (k.account_id, k.id) < (p_account, '~') and k.account_id >= p_account and k.revoked_at is null
   order by k.account_id desc, k.id desc limit p_rows
$$;

-- Entries of one currency. Their ids rise with their numbers in the account's ledger, by which there is an index; so the
-- number to begin at is found by halving.
create or replace function page_of_ledger(p_account text, p_currency text, p_before bigint, p_rows integer) returns setof ledger
language plpgsql stable set search_path = public, pg_temp set enable_sort = off set enable_incremental_sort = off
  set enable_bitmapscan = off as $$
declare
  low bigint := 0;
  high bigint := coalesce((select b.entries from balances b where b.account_id = p_account and b.currency = p_currency), 0);
  middle bigint;
begin
  while p_before is not null and low < high loop
    middle := (low + high + 1) / 2;
    if (select l.id from ledger l where l.account_id = p_account and l.currency = p_currency and l.seq = middle) < p_before
    then low := middle;
    else high := middle - 1;
    end if;
  end loop;
  return query
    select l.* from ledger l
     where (l.account_id, l.currency, l.seq) <= (p_account, p_currency, high)
       and (l.account_id, l.currency) >= (p_account, p_currency)
     order by l.account_id desc, l.currency desc, l.seq desc limit p_rows;
end $$;
