-- Limits against abuse, shared by all servers of the site.

create schema private;
grant usage on schema private to authenticated;

-- A role can only call the functions that are granted to it, here and in later files. By default PostgreSQL
-- and Supabase let everybody call a new function.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public
  revoke execute on functions from anon, authenticated, service_role;

-- How often something may be done in a period. Update a row to change a limit.
create table private.limits (
  name text primary key,
  period interval not null check (period > interval '0'),
  -- How often one address may do it, or whatever the comment of the row names. An IPv6 address counts as
  -- its /64, which one customer holds. Further attempts are refused until the period ends.
  points integer not null check (points > 0),
  -- How often all addresses together may do it for one account. After that each address waits before each
  -- attempt: 2, 4, 8 seconds and so on, up to `longest_wait`. It is never refused, because strangers could
  -- otherwise keep the owner out.
  account_points integer check (account_points > 0),
  longest_wait interval check (longest_wait > interval '0'),
  check ((account_points is null) = (longest_wait is null))
);

insert into private.limits values
  ('message', '10 minutes', 10, null, null),
  -- Further messages of an address in a day are spam. `flood` is how many of those are stored in all.
  ('message-day', '1 day', 60, null, null),
  ('flood', '1 day', 1000, null, null),
  ('sign-in', '10 minutes', 20, 10, '1 minute'),
  ('sign-up', '1 hour', 10, 10, '1 minute'),
  ('mail', '1 hour', 5, 10, '1 minute'),
  ('code', '10 minutes', 20, 10, '1 minute'),
  -- Fewer than the ten wrong tries after which a mailed code is void for everybody.
  ('mailed-code', '10 minutes', 9, 9, '1 minute'),
  -- For the embedded authentication (account_mails.sql): mails of one kind to one account, so that a second
  -- press of the button sends no second mail; mails to one account; all mails; wrong codes for one account.
  ('mail-again', '1 minute', 1, null, null),
  ('account-mails', '1 hour', 10, null, null),
  ('mails', '1 hour', 300, null, null),
  ('wrong-codes', '1 day', 50, null, null);

create unlogged table private.attempts (
  name text not null,
  subject text not null,
  points integer not null,
  expires_at timestamptz not null,
  -- When an address that has to wait may try the account again.
  next_at timestamptz,
  primary key (name, subject)
);
create index attempts_expiry on private.attempts (expires_at);

-- An address as the limits count it: an IPv6 address is its /64, which one customer holds.
create function private.address_key(address inet) returns text
language sql immutable
return case
  when address << '::ffff:0:0/96' then substr(host(address), char_length('::ffff:') + 1)
  when family(address) = 6 then network(set_masklen(address, 64))::text
  else host(address)
end;

-- Counts one attempt, and returns how many there are now.
create function private.count_attempt(limit_name text, subject text) returns private.attempts
language sql set search_path = ''
as $$
  insert into private.attempts as known (name, subject, points, expires_at)
  select limit_name, subject, 1, now() + period from private.limits where name = limit_name
  on conflict on constraint attempts_pkey do update set
    points = case when known.expires_at < now() then 1 else known.points + 1 end,
    expires_at = case when known.expires_at < now() then excluded.expires_at else known.expires_at end,
    next_at = case when known.expires_at >= now() then known.next_at end
  returning known.*
$$;

-- Counts one attempt. Returns the seconds to wait if it is one too many, otherwise null.
create function private.take_attempt(limit_name text, subject text) returns integer
language sql set search_path = ''
as $$
  select greatest(1, ceil(extract(epoch from taken.expires_at - now())))::integer
  from private.count_attempt(limit_name, subject) taken
  join private.limits on limits.name = limit_name and taken.points > limits.points
$$;

-- Deletes some expired counts, and returns how many. A transaction calls it after its last count, to
-- avoid deadlocks.
create function private.sweep_attempts(most integer) returns integer
language sql set search_path = '' as $$
  with forgotten as (
    delete from private.attempts where (name, subject) in (
      select name, subject from private.attempts where expires_at < now() limit most
      for update skip locked
    ) returning true
  ) select count(*)::integer from forgotten
$$;

-- The site waits 5 seconds for a page and 10 for a form. The database gives up earlier, so that a
-- statement for which nobody waits any more holds no connection and no lock.
alter role authenticated set statement_timeout = '4s';
alter role service_role set statement_timeout = '4s';
-- Because of the NOTIFY for open boards, writers commit one after the other. This is long enough for a slow
-- commit.
alter role authenticated set lock_timeout = '3s';
alter role service_role set lock_timeout = '3s';

-- PostgREST reads the settings of roles when it starts, and after this.
notify pgrst, 'reload config';
