-- One output among the others; null for a call that has none of that form.
create or replace function output_of(p_outputs bytea, p_at integer, p_bytes integer) returns text language sql immutable as $$
  select convert_from(substring(p_outputs from p_at + 1 for p_bytes), 'UTF8')
$$;

create or replace function output_lz4_of(p_outputs bytea, p_at integer, p_bytes integer) returns bytea language sql immutable as $$
  select substring(p_outputs from p_at + 1 for p_bytes)
$$;
