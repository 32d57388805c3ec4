-- Whether the database's date can be trusted. Deletion by age obeys a clock that may be wrong: three
-- years ahead, it would delete every message. So the database remembers the date of the last sweep, and
-- one that is far from it is in doubt. Until the doubt ends, nothing is deleted by age: no message, no
-- change that can be undone, no account, session, sign-in link or number of visits. Counts of attempts
-- are still deleted: an expired one has no effect, and it holds a network address.

create table private.clock (
  singleton boolean primary key default true check (singleton),
  -- The last date that was not in doubt. A message may have it (private.present).
  trusted_at timestamptz not null default now()
    check (trusted_at >= '1970-01-01 00:00Z' and trusted_at < '9999-01-01 00:00Z'),
  -- When a sweep first saw the date after a jump that may be right.
  jumped_at timestamptz
);
-- A restored backup is like a site that was switched off since: an old one asks.
comment on table private.clock is 'Copied';
insert into private.clock default values;

-- 'trusted'; 'waits' after a jump of 3 to 40 days, as after weeks of being switched off; or 'asks' the
-- owner, after a longer one or one backwards. A clock that is set right again is trusted at once.
create function private.date_state() returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when now() between c.trusted_at - interval '1 hour' and c.trusted_at + interval '3 days'
      then 'trusted'
    when now() between c.trusted_at and c.trusted_at + interval '40 days' then 'waits'
    else 'asks'
  end
  from private.clock c
$$;

-- Whether nothing may be deleted by age now. All that deletes by age asks this first; backups too.
create function private.date_is_in_doubt() returns boolean
language sql stable security definer set search_path = ''
return private.date_state() is distinct from 'trusted';

-- The present time, but never before the last date that was not in doubt: what is stored while the
-- clock is years behind must not look years old once it is right again.
create function private.present() returns timestamptz
language sql stable security definer set search_path = ''
return greatest(clock_timestamp(), (select trusted_at from private.clock));

-- The same for accounts, whose times the authentication writes.
create function private.date_account() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.present() - clock_timestamp() > interval '1 hour' then
    new.updated_at := private.present();
    if tg_op = 'INSERT' then
      new.created_at := private.present();
    end if;
  end if;
  return new;
end
$$;

create trigger account_is_dated before insert or update on auth.users
  for each row execute function private.date_account();

-- Ends the waits that began while the clock was ahead: none is longer than its limit, ten minutes without
-- one, or a day.
create function private.end_long_waits() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.attempts a
  where a.expires_at > now() + interval '1 hour' + coalesce(
    (select period from private.limits l where l.name = a.name), interval '10 minutes'
  );
  update private.notifications set due_at = now() where due_at > now() + interval '25 hours';
  update private.notifications set locked_until = null where locked_until > now() + interval '1 hour';
  update private.notification_channels set next_at = now() where next_at > now() + interval '1 hour';
end
$$;

-- For the site, before each sweep: remembers a date that is not in doubt. A jump of 3 to 40 days ends
-- its doubt itself when the date still agrees 20 hours later.
create function public.check_date(
  out state text, out database_time timestamptz, out trusted_time timestamptz
)
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_site();
  update private.clock c set trusted_at = greatest(c.trusted_at, now()), jumped_at = null
  where private.date_state() = 'trusted'
    or private.date_state() = 'waits'
    and c.jumped_at between now() - interval '3 days' and now() - interval '20 hours';
  update private.clock c set jumped_at = now()
  where private.date_state() = 'waits'
    and (c.jumped_at between now() - interval '3 days' and now()) is not true;
  if not private.date_is_in_doubt() then
    perform private.end_long_waits();
  end if;
  select private.date_state(), now(), c.trusted_at into state, database_time, trusted_time
  from private.clock c;
end
$$;

-- For a sweep of the site: whether it may delete by age. Refuses other callers.
create function private.may_sweep() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_site();
  return not private.date_is_in_doubt();
end
$$;

-- For the owner: the date that is in doubt, the last one that was not, and whether the doubt ends only
-- by the owner or the clock. No row for others, and without a doubt.
create function public.date_in_doubt()
returns table (database_time timestamptz, trusted_time timestamptz, asks boolean)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
  select now(), c.trusted_at, private.date_state() = 'asks' from private.clock c
  where private.date_is_in_doubt() and private.owns_inbox();
end
$$;

-- For the owner: the date is right. `shown` is the one that the owner was shown. False if the database
-- has another one by now: the clock may have been set meanwhile.
create function public.confirm_date(shown timestamptz) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_owner();
  update private.clock set trusted_at = now(), jumped_at = null
  where now() between shown - interval '1 hour' and shown + interval '1 day';
  return found;
end
$$;

-- Messages and changes are stored with their sender's rights.
grant execute on function private.present to anon, authenticated, service_role;
grant execute on function public.check_date to anon, service_role;
grant execute on function public.date_in_doubt, public.confirm_date to authenticated, service_role;
