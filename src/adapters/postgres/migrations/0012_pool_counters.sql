-- What /metrics shows of the whole cluster: each process adds what it counted, each second. A counter is `calls:OUTCOME`,
-- or one of a histogram, in seconds: `wait:LE` and `run:LE` count by upper bound, each call once, `wait:sum` and `run:sum`
-- add up.
create table pool_counters (
  pool text collate "C" not null,
  counter text collate "C" not null,
  value double precision not null,
  primary key (pool, counter)
) with (fillfactor = 50);
