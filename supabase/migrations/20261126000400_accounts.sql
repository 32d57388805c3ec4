-- What an account needs beside Supabase's own calls: what its session may do, and the list of its
-- sessions.

-- Whether a session of an account is open, by default the one of the caller's token. A token is valid until
-- it expires, but its rights end with its session, or when the account is banned or deleted. This is in
-- plpgsql, which keeps its plans, because live delivery calls it for every open inbox.
create function private.session_is_open(
  session uuid default (auth.jwt() ->> 'session_id')::uuid, account uuid default auth.uid()
) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return session is null or exists (
    select from auth.sessions s join auth.users u on u.id = s.user_id
    where s.id = session and s.user_id = account and (s.not_after is null or s.not_after > now())
      and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
  );
end
$$;

-- Whether the caller's session is open, and has used the second factor if the account has one. A stolen
-- password alone therefore reads nothing.
create function private.is_signed_in() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.session_is_open() and (coalesce(auth.jwt() ->> 'aal', '') = 'aal2' or not exists (
    select from auth.mfa_factors where user_id = auth.uid() and status = 'verified'
  ));
end
$$;

-- The caller's sessions: its own, marked with `is_current`, and the others in the order of their last
-- use, 20 at most. `total` counts all.
create function public.my_sessions()
returns table (
  id uuid, created_at timestamptz, last_used_at timestamptz, user_agent text, is_current boolean,
  total bigint
)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.created_at, coalesce(s.refreshed_at at time zone 'UTC', s.created_at),
    s.user_agent, coalesce(s.id::text = auth.jwt() ->> 'session_id', false), count(*) over ()
  from auth.sessions s
  where s.user_id = auth.uid() and private.is_signed_in()
  order by 5 desc, 3 desc, 1
  limit 20
$$;

-- The account of a session that is open, and has used the second factor if the account has one.
create function private.account_of(session uuid) returns uuid
language sql stable security definer set search_path = ''
as $$
  select s.user_id from auth.sessions s
  where s.id = session and private.session_is_open(s.id, s.user_id) and (
    s.aal::text = 'aal2' or not exists (
      select from auth.mfa_factors where user_id = s.user_id and status = 'verified'
    )
  )
$$;

-- For the site: ends a session of the account that has the session `by`, which may be the same one. False
-- if there is no such session. The site asks for a proof before it ends another one, because a stolen
-- session must not keep the account's holder out.
create function public.end_session(session uuid, by uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  account constant uuid := private.account_of(by);
begin
  -- Waits for other changes of the account, which may end the session.
  perform from auth.users where id = account for no key update;
  delete from auth.sessions where id = session and user_id = account and private.account_of(by) = account;
  return found;
end
$$;

-- For the site, which has asked for a proof: deletes the account of a session with all that belongs to
-- it. Messages belong to the inbox, and stay. False if the session has ended.
create function public.delete_account(session uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  account constant uuid := private.account_of(session);
begin
  -- Waits for other changes of the account, which may end the session.
  perform from auth.users where id = account for update;
  delete from auth.users where id = account and private.account_of(session) = account;
  return found;
end
$$;

grant execute on function public.my_sessions to authenticated;
grant execute on function public.end_session, public.delete_account to service_role;
