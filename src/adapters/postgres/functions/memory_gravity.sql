-- Memory gravity: each memory weighs 1 and once more for each recall, and half as much every 30 days.
create or replace function memory_decay(p_created timestamptz, p_at timestamptz) returns double precision language sql immutable
  as $$ select power(0.5::double precision, extract(epoch from p_at - p_created)::double precision / 86400 / 30) $$;

create or replace function memory_gravity(p_account text, p_at timestamptz) returns numeric language sql stable as $$
  select round((
    (select coalesce(sum((1 + m.recalls) * memory_decay(m.created_at, p_at)), 0)
       from memories m where m.account_id = p_account)
    + (select coalesce(sum(memory_decay(m.created_at, p_at)), 0)
         from memory_recalls r
         cross join lateral (select k.created_at from memories k where k.id = r.memory_id limit 1) m
        where r.account_id = p_account)
  )::numeric, 3)
$$;
