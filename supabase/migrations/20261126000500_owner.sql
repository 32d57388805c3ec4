-- Who reads the inbox: every signed-in account until one of them is its owner, then only the owner.
-- Nobody but the owner changes anything in it. A session that has ended, or has not used the account's
-- second factor, does neither.

-- The row stays without a user when the owner's account is deleted: the inbox must not open to all
-- accounts again. Then nobody reads it, until the next owner's claim fills the row.
create table private.site_owner (
  singleton boolean primary key default true check (singleton),
  user_id uuid references auth.users (id) on delete set null,
  claimed_at timestamptz not null default now()
);

-- The only address that may become the owner (SITE_OWNER_EMAIL).
create table private.reserved_owner (
  singleton boolean primary key default true check (singleton),
  email text not null check (email = lower(email))
);

-- The accounts that hold the reserved address and proved it by a mail. Only the identity shows that:
-- where confirmation is off, every address counts as confirmed. An account that changed its address
-- to the reserved one may be a stranger's, whose change the address's owner confirmed. Hosted Supabase
-- records no such change, and verifies identities on an administrator's word too: reserve nothing
-- there, and name the owner by SQL.
create function private.reserved_accounts() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select u.id
  from auth.users u
  join private.reserved_owner r on lower(u.email) = r.email
  join auth.identities i on i.user_id = u.id and i.provider = 'email' and i.email = r.email
  where i.identity_data @> '{"email_verified": true}' and not i.identity_data ? 'email_changed'
$$;

-- Makes an account the owner, if there is none.
create function private.own_inbox(account uuid) returns void
language sql security definer set search_path = ''
as $$
  insert into private.site_owner as known (user_id) values (account)
  on conflict (singleton) do update set user_id = excluded.user_id, claimed_at = now()
  where known.user_id is null
$$;

-- Whether an account owns the inbox.
create function private.has_owner() returns boolean
language sql stable security definer set search_path = ''
return exists (select from private.site_owner where user_id is not null);

-- Stores the account of the reserved address as the owner, if there is none yet. Whoever confirmed the
-- address since the site started is the owner already, but has no row.
create function private.store_reserved_owner() returns void
language sql security definer set search_path = ''
as $$
  select private.own_inbox(account) from private.reserved_accounts() account
$$;

-- Who owns the inbox, for the caller: 'me', 'other' or 'nobody'. After the owner's account was deleted it
-- is 'other': the inbox is as closed as with an owner.
create function private.inbox_owner() returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case
    when exists (select from private.site_owner where user_id = auth.uid()) then 'me'
    when private.has_owner() then 'other'
    when auth.uid() in (select private.reserved_accounts()) then 'me'
    when exists (select from private.site_owner) then 'other'
    when exists (select from private.reserved_owner) then 'other'
    else 'nobody'
  end;
end
$$;

create function private.may_read_inbox() returns boolean
language sql stable security definer set search_path = ''
return private.inbox_owner() <> 'other' and private.is_signed_in();

create function private.owns_inbox() returns boolean
language sql stable security definer set search_path = ''
return private.inbox_owner() = 'me' and private.is_signed_in();

-- Refuses callers other than the inbox's owner.
create function private.require_owner() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.owns_inbox() then
    raise sqlstate 'PT403' using message = 'Only the owner of the inbox may do this';
  end if;
end
$$;

-- A claim code: 80 random bits in groups of five digits.
create function private.new_code() returns text
language sql volatile
return regexp_replace(encode(extensions.gen_random_bytes(10), 'hex'), '(.{5})(?=.)', '\1-', 'g');

-- The hash of a code, without what people put between its digits. A code of 80 random bits needs no salt.
create function private.code_hash(code text) returns bytea
language sql immutable
return sha256(convert_to(
  lower(regexp_replace(left(code, 100), '[^0-9A-Fa-f]', '', 'g')), 'UTF8'
));

-- The hash of the code that claims the inbox once.
create table private.claim_code (
  singleton boolean primary key default true check (singleton),
  code_hash bytea not null
);

-- Replaces the claim code by a new one. Returns it, and nothing else ever does. Null if the inbox has an
-- owner or is reserved for one.
create function public.new_claim_code() returns text
language plpgsql security definer set search_path = ''
as $$
declare
  code constant text := private.new_code();
begin
  if private.has_owner() or exists (select from private.reserved_owner) then
    return null;
  end if;
  insert into private.claim_code (code_hash) values (private.code_hash(code))
  on conflict (singleton) do update set code_hash = excluded.code_hash;
  return code;
end
$$;

-- Makes the caller the owner if there is none and the code is right. True if the caller is the owner
-- afterwards.
create function public.claim_inbox(code text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  caller uuid := (select id from auth.users where id = auth.uid());
begin
  if caller is null or not private.is_signed_in() then
    return false;
  end if;
  if not private.has_owner() then
    delete from private.claim_code where code_hash = private.code_hash(code);
    if found and not exists (select from private.reserved_owner) then
      perform private.own_inbox(caller);
    end if;
  end if;
  return exists (select from private.site_owner where user_id = caller);
end
$$;

-- Reserves the inbox for an address, and makes its account the owner if a mail confirmed it. Until
-- then only an account that confirms the address reads the inbox. Returns whether the owner has the
-- address, null while there is no owner.
create function public.reserve_inbox(address text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.has_owner() then
    insert into private.reserved_owner (email) values (lower(address))
    on conflict (singleton) do update set email = excluded.email;
    perform private.store_reserved_owner();
  end if;
  return (
    select lower(account.email) = lower(address)
    from private.site_owner owner join auth.users account on account.id = owner.user_id
  );
end
$$;

-- Policies run with the rights of the caller.
grant execute on function private.may_read_inbox, private.owns_inbox to authenticated;
grant execute on function public.claim_inbox to authenticated;
grant execute on function public.new_claim_code, public.reserve_inbox to service_role;
