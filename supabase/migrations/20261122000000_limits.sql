-- Limits against abuse, shared by all servers of the site.

create schema private;
grant usage on schema private to authenticated, service_role;

-- A function, here and in later files, can be called by nobody to whom it is not granted. By default
-- PostgreSQL and Supabase let everybody call it.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public
  revoke execute on functions from anon, authenticated, service_role;

-- How often something may be done in a period. Update a row to change a limit.
create table private.limits (
  name text primary key,
  period interval not null check (period > interval '0'),
  -- From one address; of mails (account_mails.sql) to one mailbox, or in all.
  points integer not null check (points > 0),
  -- From one address for one account, and from all browsers together that the account has used.
  account_points integer check (account_points > 0),
  -- From all other browsers for one account. Beyond it attempts wait, each time longer, up to
  -- `longest_wait`, and are never refused for good: else strangers could keep the owner out. So do
  -- mails beyond `points`.
  account_total integer check (account_total > 0),
  longest_wait interval check (longest_wait > interval '0')
);

-- Mails wait longest, because a flooded mailbox is bad too.
insert into private.limits values
  ('message', '10 minutes', 10, null, null, null),
  -- What an address sends beyond it in a day is spam; of that, so much in all is stored.
  ('message-day', '1 day', 60, null, null, null),
  ('flood', '1 day', 1000, null, null, null),
  ('sign-in', '10 minutes', 20, 10, 60, '1 minute'),
  ('sign-up', '1 hour', 10, 10, 50, '1 minute'),
  ('mail', '1 hour', 5, 5, 15, '15 minutes'),
  ('code', '10 minutes', 20, 10, 30, '1 minute'),
  -- Less than the ten wrong tries that void a mailed code for all.
  ('mailed-code', '10 minutes', 20, 5, 30, '1 minute'),
  ('claim', '10 minutes', 20, 10, 50, '1 minute'),
  -- Of the embedded authentication (account_mails.sql): of one kind to one address, where a second
  -- press of the button sends no second mail; to one mailbox; to all, of which those to addresses that
  -- a mail has verified count apart; wrong codes for one address.
  ('mail-again', '1 minute', 1, null, null, null),
  ('mailbox-hour', '1 hour', 6, null, null, '15 minutes'),
  ('mailbox-day', '1 day', 20, null, null, '1 hour'),
  ('mails', '1 hour', 300, null, null, '15 seconds'),
  ('account-mails', '1 hour', 300, null, null, '15 seconds'),
  ('wrong-codes', '1 day', 50, null, null, null);

create unlogged table private.attempts (
  name text not null,
  subject text not null,
  points integer not null,
  expires_at timestamptz not null,
  next_at timestamptz,
  primary key (name, subject)
);
create index attempts_expiry on private.attempts (expires_at);

-- The network of an address of IPv6, as a subject; null for other subjects.
create function private.network_of(subject text) returns text
language sql immutable
return 'address ' || network(set_masklen(
  substring(subject from '^address ([0-9a-f:]+/64)$')::inet, 48
));

-- Counts one attempt. Returns the seconds to wait if it is one too many, otherwise null. With a
-- `longest_wait`, an attempt too many waits 2, 4, 8 seconds and so on after the one before it. One
-- customer often holds a /48 of IPv6, which is 65,536 of the /64 that limits count: attempts of a /64
-- also count for its /48, which has ten times the points.
create function private.take_attempt(
  limit_name text, attempt_subject text, allowed integer, longest_wait interval default null
)
returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  lasts interval := (select period from private.limits where name = limit_name);
  network text := private.network_of(attempt_subject);
  taken private.attempts;
begin
  insert into private.attempts as known (name, subject, points, expires_at)
  values (limit_name, attempt_subject, 1, now() + lasts)
  on conflict (name, subject) do update set
    points = case when known.expires_at < now() then 1 else known.points + 1 end,
    expires_at = case when known.expires_at < now() then now() + lasts else known.expires_at end,
    next_at = case when known.expires_at < now() then null else known.next_at end
  returning * into taken;
  if taken.points <= allowed then
    -- Only then: a refused attempt of one /64 must not use up its neighbours' points.
    return case when network is not null
      then private.take_attempt(limit_name, network, allowed * 10) end;
  end if;
  if longest_wait is null or taken.next_at > now() then
    return greatest(1, ceil(extract(epoch from coalesce(taken.next_at, taken.expires_at) - now())));
  end if;
  update private.attempts
  set next_at = now()
    + least(longest_wait, interval '1 second' * 2 ^ least(taken.points - allowed, 20))
  where name = limit_name and subject = attempt_subject;
  return null;
end
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
-- Long enough for a commit that hangs: NOTIFY, which tells open boards, lets writers commit in turn.
alter role authenticated set lock_timeout = '3s';
alter role service_role set lock_timeout = '3s';

-- PostgREST reads the settings of roles when it starts, and then.
notify pgrst, 'reload config';
