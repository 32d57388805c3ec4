-- Who reads the inbox: every signed-in account until one of them is its owner, then that one.

-- Restrict, not cascade: an inbox whose owner is deleted must not open to everybody again.
create table private.site_owner (
  singleton boolean primary key default true check (singleton),
  user_id uuid not null references auth.users (id) on delete restrict,
  claimed_at timestamptz not null default now()
);

-- The only address that may become the owner (SITE_OWNER_EMAIL).
create table private.reserved_owner (
  singleton boolean primary key default true check (singleton),
  email text not null
);

-- Accounts that hold the reserved address. Where confirmation is off every address counts as
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

-- Keeps the inbox for one address, and makes its account the owner if a mail confirmed it; until
-- then only an account that confirms the address reads it. Returns whether the owner has the
-- address, null while there is no owner.
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
grant execute on function private.may_read_inbox to anon, authenticated, service_role;
revoke execute on function public.claim_inbox, public.reserve_inbox from public, anon, authenticated;
grant execute on function public.claim_inbox to authenticated;
grant execute on function public.reserve_inbox to service_role;
