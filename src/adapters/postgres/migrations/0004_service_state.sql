-- What the service keeps besides money and calls.

-- Stored files: the bytes lie in the artifact store under their hash; this says what they are. The same bytes may be
-- stored under several names: each is an address of its own, with a type of its own, so that nobody decides for others
-- under which name and type they find what they made.
create table artifacts (
  sha256 text collate "C" not null,
  mime text not null,
  filename text not null,
  bytes bigint not null check (bytes >= 0),
  created_at timestamptz not null default clock_timestamp(),
  primary key (sha256, filename)
);

-- Fixed windows of the rate limits, shared by all processes.
create unlogged table rate_windows (
  key text collate "C" not null,
  ends_at timestamptz not null,
  hits integer not null,
  primary key (key)
);

create index rate_windows_age on rate_windows (ends_at);

-- Counts a hit; a window that has ended starts anew. Each hit clears some of the others that have ended away, so that
-- the addresses of long ago do not pile up. Returns the hits of the current one and how long it still lasts.
create function count_hit(p_key text, p_window_ms integer, out hits integer, out left_ms integer)
language sql as $$
  delete from rate_windows where key in (
    select o.key from rate_windows o
     where o.ends_at < clock_timestamp() and o.key <> p_key limit 3 for update skip locked);
  insert into rate_windows as w (key, ends_at, hits)
  values (p_key, clock_timestamp() + p_window_ms * interval '1 ms', 1)
  on conflict (key) do update
    set hits = case when w.ends_at < clock_timestamp() then 1 else w.hits + 1 end,
        ends_at = case when w.ends_at < clock_timestamp() then excluded.ends_at else w.ends_at end
  returning hits, greatest(0, extract(epoch from ends_at - clock_timestamp()) * 1000)::integer
$$;

-- The worker processes that live: each says so once a second.
create unlogged table workers (
  name text not null,
  pool text not null,
  slots integer not null,
  running integer not null,
  seen_at timestamptz not null,
  primary key (name, pool)
);
