-- The pages that instant-receptionist makes, and what their visitors leave.

-- One page for each call that made one; it stays where it is for good. Newest first is by call.
create table receptionists (
  slug text collate "C" primary key,
  call_id text collate "C" not null unique,
  account_id text collate "C" not null references accounts,
  vertical text not null,
  business text not null,
  area text,
  leads integer not null default 0 check (leads >= 0), -- how many it holds now
  created_at timestamptz not null default clock_now()
);
create index receptionists_of_account on receptionists (account_id, call_id);

-- Personal data: read by the account of the page and by nobody else, and gone when it deletes them.
create table receptionist_leads (
  id text collate "C" primary key,
  slug text collate "C" not null references receptionists,
  name text not null,
  phone text,
  email text,
  message text,
  answers jsonb not null,
  created_at timestamptz not null default clock_now()
);
create index receptionist_leads_of_page on receptionist_leads (slug, id);
