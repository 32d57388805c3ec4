-- Who reads the inbox: every signed-in account until one makes it its own, then that one.

-- Restrict, not cascade: an inbox whose owner is deleted must not open to everybody again.
create table private.site_owner (
  singleton boolean primary key default true check (singleton),
  user_id uuid not null references auth.users (id) on delete restrict,
  claimed_at timestamptz not null default now()
);

-- An address that alone may become the owner (SITE_OWNER_EMAIL).
create table private.reserved_owner (
  singleton boolean primary key default true check (singleton),
  email text not null
);

-- These are in plpgsql because it keeps their plans: live delivery asks them for every open inbox.

-- A token outlives its session until it expires; what it may read ends with the session.
create function private.session_is_open() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  session uuid := auth.jwt() ->> 'session_id';
begin
  return session is null or exists (select from auth.sessions where id = session);
end
$$;

-- An account with a verified factor must have used it: a stolen password alone reads nothing.
create function private.second_factor_is_met() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(auth.jwt() ->> 'aal', '') = 'aal2' or not exists (
    select from auth.mfa_factors where user_id = auth.uid() and status = 'verified'
  );
end
$$;

-- Accounts that answer to the reserved address. Where confirmation is off every address counts as
-- confirmed; its identity is verified only by a mail to it. Hosted Supabase verifies it also on an
-- administrator's word and, with confirmation off, by the mail to the old address of a change:
-- reserve nothing there with confirmation off.
create function private.reserved_accounts() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select u.id
  from auth.users u
  join private.reserved_owner r on lower(u.email) = r.email
  join auth.identities i on i.user_id = u.id and i.provider = 'email' and i.email = r.email
  where i.identity_data @> '{"email_verified": true}'
$$;

-- Whose the inbox is for the caller: 'me', 'other' or 'nobody'.
create function private.inbox_owner() returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  owner uuid := (select user_id from private.site_owner);
begin
  if owner is not null then
    return case when owner = auth.uid() then 'me' else 'other' end;
  end if;
  if not exists (select from private.reserved_owner) then
    return 'nobody';
  end if;
  return case when auth.uid() in (select private.reserved_accounts()) then 'me' else 'other' end;
end
$$;

create function private.may_read_inbox() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.inbox_owner() <> 'other' and private.session_is_open();
end
$$;

drop policy "a signed-in account reads the inbox" on public.contact_messages;

-- The subselects make Postgres ask once a statement, not once a row.
create policy "whoever the inbox belongs to reads it" on public.contact_messages
  for select to authenticated using ((select private.may_read_inbox()));

create policy "with the second factor, if there is one" on public.contact_messages
  as restrictive for select to authenticated using ((select private.second_factor_is_met()));

-- Makes the caller the owner if there is none; true if the caller is the owner afterwards.
create function public.claim_inbox() returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  caller auth.users;
begin
  select * into caller from auth.users where id = auth.uid();
  if caller.id is null or not private.session_is_open() or not private.second_factor_is_met() then
    return false;
  end if;
  insert into private.site_owner (user_id)
  select caller.id
  where not exists (select from private.reserved_owner)
  on conflict do nothing;
  return exists (select from private.site_owner where user_id = caller.id);
end
$$;

-- Keeps the inbox for one address, and gives it to its account if one is confirmed by mail;
-- until then whoever confirms the address reads it, and nobody else. Whether its owner has the
-- address; null while it has no owner.
create function public.reserve_inbox(address text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (select from private.site_owner) then
    insert into private.reserved_owner (email) values (lower(address))
    on conflict (singleton) do update set email = excluded.email;
    insert into private.site_owner (user_id) select private.reserved_accounts()
    on conflict do nothing;
  end if;
  return (
    select lower(account.email) = lower(address)
    from private.site_owner owner join auth.users account on account.id = owner.user_id
  );
end
$$;

revoke execute on all functions in schema private from public;
grant usage on schema private to anon, authenticated, service_role;
grant execute on function
  private.is_plain_text, private.is_visible, private.may_read_inbox, private.second_factor_is_met
  to anon, authenticated, service_role;

revoke execute on function public.claim_inbox, public.reserve_inbox from public, anon, authenticated;
grant execute on function public.claim_inbox to authenticated;
grant execute on function public.reserve_inbox to service_role;
