-- What the embedded authentication counts (embedded/auth/limits.ts): mails, and wrong codes of mails. A
-- hosted Supabase has limits of its own. Only the site calls these functions.

-- Counts a request for a mail, also to an address without an account, because the answer must not show
-- whether there is one. Returns the seconds to wait, otherwise null.
create function public.request_mail(kind text, address text) returns integer
language sql security definer set search_path = ''
as $$ select private.take_attempt('mail-again', kind || ' ' || lower(address)) $$;

-- Counts a mail that is about to be sent for an account to an address. False if there were too many.
-- Strangers can use up the limits, so the owner's mails are not counted.
create function public.take_mail(address text, account uuid) returns boolean
language sql security definer set search_path = ''
as $$
  select case
    when exists (select from private.site_owner where user_id = account)
      or exists (select from private.reserved_owner where email = lower(address)) then true
    else coalesce(
      private.take_attempt('account-mails', lower(address)), private.take_attempt('mails', 'all')
    ) is null
  end
$$;

-- Whether mailed codes still work for an account's address. After too many wrong ones in a day, only the
-- links do.
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
as $$ select private.take_attempt('wrong-codes', lower(address)) $$;

grant execute on function
  public.request_mail, public.take_mail, public.accepts_codes, public.count_wrong_code
  to service_role;
