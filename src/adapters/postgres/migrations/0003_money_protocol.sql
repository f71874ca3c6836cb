-- What the money functions take and hand to one another. They are the only ones that move calls and their money. Each
-- takes a list, locks in one order (calls by id, then balances by account, then lanes), and RETURNS its verdicts: a
-- raised error costs a connection and a batch.
-- What belongs to an item is looked up in a subquery of its own (lateral, limit 1) and not joined: a connection keeps
-- plans that were made while the tables were nearly empty, and a join planned then would read whole tables for good.

create type settle_item as (
  ord integer, id text, account_id text, key_id text, slug text, version text, pool text, priority integer,
  price bigint, currency text, state text, max_attempts integer, timeout_ms integer, deadline_ms integer,
  input_at integer, input_bytes integer, input_sha256 text, warnings text[], output_at integer, output_bytes integer, output_lz4_at integer, output_lz4_bytes integer,
  output_ref text, output_sha256 text,
  error_code text, error_message text, input_fault boolean, effects jsonb, tokens_prompt integer, tokens_completion integer,
  idempotency_key text, request_sha256 text, started_ms_ago integer, webhook_url text,
  surface text, parent_id text, request_id text, trace_context text, run_rules integer,
  read_documents integer[], read_versions bigint[], read_writers integer[],
  write_documents integer[], write_at integer[], write_bytes integer[]
);

create type call_effect as (call_id text, account_id text, kind text, data jsonb);

create type lane_shift as (pool text, account_id text, priority integer, queued integer, running integer);

create type call_end as (
  ord integer, id text, attempt integer, worker text, state text, output_at integer, output_bytes integer,
  output_lz4_at integer, output_lz4_bytes integer, output_ref text, output_sha256 text,
  error_code text, error_message text, input_fault boolean, effects jsonb, tokens_prompt integer, tokens_completion integer
);
