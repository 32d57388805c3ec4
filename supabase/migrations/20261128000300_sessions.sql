-- Accounts: the sessions' second factor, and the codes of mails.

-- A session that used an authenticator which was removed has lost its second factor, although its token says
-- otherwise until it expires. The rules therefore ask the session too.

drop function private.account_of(uuid), private.session_is_open(uuid, uuid);

-- The account of a session that is open, and has used the second factor if the account has one. `token_aal` is
-- the level that the caller's token claims. A token is valid until it expires, but its rights end with its
-- session, or when the account is banned or deleted. This is in plpgsql, which keeps its plans, because live
-- delivery calls it for every open inbox.
create function private.account_of(session uuid, token_aal text default 'aal2') returns uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select s.user_id from auth.sessions s join auth.users u on u.id = s.user_id
    where s.id = session and (s.not_after is null or s.not_after > now())
      and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
      and ((s.aal::text = 'aal2' and token_aal = 'aal2') or not exists (
        select from auth.mfa_factors f where f.user_id = s.user_id and f.status = 'verified'
      ))
  );
end
$$;

-- Whether the caller's token has such a session. A stolen password alone therefore reads nothing.
create or replace function private.is_signed_in() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(private.account_of(
    (auth.jwt() ->> 'session_id')::uuid, coalesce(auth.jwt() ->> 'aal', '')
  ) = auth.uid(), false);
end
$$;

-- For the guard of the pages, which otherwise knows only what the token claims.
create function public.is_signed_in() returns boolean
language sql stable security definer set search_path = ''
as $$ select private.is_signed_in() $$;

grant execute on function public.is_signed_in to authenticated;

-- A mailed code has eight digits now, and ten tries in an hour are all. Tries in a day need no count.
drop function public.accepts_codes, public.count_wrong_code;
delete from private.limits where name = 'wrong-codes';
delete from private.attempts where name = 'wrong-codes';

-- For the embedded authentication: a mail that could not be sent does not count, so that it can be asked for
-- again at once.
create function public.forget_mail_request(kind text, address text) returns void
language sql security definer set search_path = ''
as $$
  delete from private.attempts
  where name = 'mail-again' and subject = kind || ' ' || lower(address)
$$;

grant execute on function public.forget_mail_request to service_role;
