-- An ended call never changes, and no call becomes another or goes back.
create or replace function guard_call() returns trigger language plpgsql as $$
begin
  if old.ended_at is not null then
    raise exception 'call % has ended as %', old.id, old.state using errcode = 'restrict_violation';
  end if;
  if new.attempt < old.attempt or new.events < old.events then
    raise exception 'call % went back', old.id using errcode = 'restrict_violation';
  end if;
  if (new.id, new.account_id, new.slug, new.price, new.currency, new.input_sha256)
     is distinct from (old.id, old.account_id, old.slug, old.price, old.currency, old.input_sha256) then
    raise exception 'call % cannot become another', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
