-- What the embedded authentication counts (embedded/auth/limits.ts): mails, and wrong codes of mails.
-- A hosted one has limits of its own. Only the site calls these functions.

-- The mailbox of an address. Many providers ignore what follows a plus sign, and Gmail also dots.
create function private.mailbox_of(address text) returns text
language sql immutable
return (
  select case when domain in ('gmail.com', 'googlemail.com')
    then replace(name, '.', '') || '@gmail.com' else name || '@' || domain end
  from (values (
    split_part(split_part(lower(address), '@', 1), '+', 1), split_part(lower(address), '@', 2)
  )) parts (name, domain)
);

-- Counts one of a limit that knows no address. Returns the seconds to wait, null if it is allowed.
create function private.take_point(limit_name text, subject text) returns integer
language sql security definer set search_path = ''
as $$
  select private.take_attempt(name, subject, points, longest_wait)
  from private.limits where name = limit_name
$$;

-- Counts a request for a mail, whether its address has an account or not: the answer must not show
-- that. Returns the seconds to wait; then nothing is counted.
create function public.request_mail(kind text, address text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  mailbox constant text := private.mailbox_of(address);
  wait integer;
begin
  wait := coalesce(
    private.take_point('mail-again', kind || ' ' || lower(address)),
    private.take_point('mailbox-hour', mailbox),
    private.take_point('mailbox-day', mailbox)
  );
  if wait is not null then
    raise sqlstate 'PT429';
  end if;
  return null;
exception when sqlstate 'PT429' then
  return wait;
end
$$;

-- Counts a mail that is about to be sent to an account. Those to addresses that a mail has verified do
-- not share a limit with the others, which strangers can ask for; those of the owner have none but the
-- mailbox's. False if there were too many: then the request for it is taken back.
create function public.take_mail(kind text, address text, account uuid, is_verified boolean)
returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select from private.site_owner where user_id = account)
    or exists (select from private.reserved_owner where email = lower(address))
    or private.take_point(case when is_verified then 'account-mails' else 'mails' end, 'all') is null
  then
    return true;
  end if;
  delete from private.attempts
  where name = 'mail-again' and subject = kind || ' ' || lower(address);
  update private.attempts set points = points - 1, next_at = null
  where name in ('mailbox-hour', 'mailbox-day') and subject = private.mailbox_of(address)
    and points > 0;
  return false;
end
$$;

-- Whether mailed codes still count for an account's address: after too many wrong ones in a day only
-- the links do.
create function public.accepts_codes(address text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select not exists (
    select from private.attempts a join private.limits l using (name)
    where name = 'wrong-codes' and subject = lower(address) and a.points >= l.points
      and expires_at > now()
  )
$$;

create function public.count_wrong_code(address text) returns void
language sql security definer set search_path = ''
as $$ select private.take_point('wrong-codes', lower(address)) $$;

comment on function public.request_mail is 'Nullable: result';

grant execute on function
  public.request_mail, public.take_mail, public.accepts_codes, public.count_wrong_code
  to service_role;
