-- The same bytes may be stored under several names: each is an address of its own, with a type of its own, so that
-- nobody decides for others under which name and type they find what they made.
alter table artifacts drop constraint artifacts_pkey, add primary key (sha256, filename);
