-- Renews the leases of what a worker runs. Verdicts: kept; cancel (its caller wants it to stop); lost. A worker that
-- froze and thawed may hold two attempts of one call, of which one is lost.
create or replace function renew_leases(p_worker text, p_ids text[], p_attempts integer[], p_lease_ms integer)
returns table (id text, attempt integer, verdict text)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from calls c where c.id = any (p_ids) order by c.id for update;
  return query
    with held as (
      update calls c set lease_until = clock_now() + p_lease_ms * interval '1 ms'
        from unnest(p_ids, p_attempts) h(id, attempt)
       where c.id = h.id and c.attempt = h.attempt and c.worker = p_worker and c.state = 'running'
         and c.run_until > clock_now()
      returning c.id, c.attempt, c.cancel_requested
    )
    select h.id, h.attempt,
           case when held.id is null then 'lost' when held.cancel_requested then 'cancel' else 'kept' end
      from unnest(p_ids, p_attempts) h(id, attempt)
      left join held on held.id = h.id and held.attempt = h.attempt;
end $$;
