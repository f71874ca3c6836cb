-- The first day of the window of a spend limit's period.
create or replace function spend_window(p_period text, p_at timestamptz) returns date language sql stable as $$
  select case p_period
    when 'day' then (p_at at time zone 'UTC')::date
    when 'month' then date_trunc('month', p_at at time zone 'UTC')::date
    when 'total' then date '1970-01-01'
  end
$$;
