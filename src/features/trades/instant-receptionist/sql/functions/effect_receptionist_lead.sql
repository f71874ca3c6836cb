-- What a visitor sent to a page of the account. data: id, slug, name, phone, email, message, answers
create or replace function effect_receptionist_lead(p_call text, p_account text, p_data jsonb) returns void
language sql security definer set search_path = public, pg_temp as $$
  with sent as (
    insert into receptionist_leads (id, slug, name, phone, email, message, answers)
    select p_data ->> 'id', r.slug, p_data ->> 'name', p_data ->> 'phone', p_data ->> 'email', p_data ->> 'message',
           p_data -> 'answers'
      from receptionists r where r.slug = p_data ->> 'slug' and r.account_id = p_account
    returning slug)
  update receptionists r set leads = r.leads + 1 from sent where r.slug = sent.slug
$$;

-- The account of the page wants it gone, for good. data: id, slug
create or replace function effect_receptionist_lead_gone(p_call text, p_account text, p_data jsonb) returns void
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from receptionist_leads l using receptionists r
     where l.id = p_data ->> 'id' and l.slug = p_data ->> 'slug' and r.slug = l.slug and r.account_id = p_account
    returning l.slug)
  update receptionists r set leads = r.leads - 1 from gone where r.slug = gone.slug
$$;
