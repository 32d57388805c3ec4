-- Limits against abuse, shared by all servers of the site.

create schema private;
grant usage on schema private to anon, authenticated, service_role;

-- How often something may be done in a period, from one address. Update a row to change a limit.
-- For one account it may be done `account_factor` times as often, from all addresses together:
-- otherwise a stranger at one address could lock the owner of an account out.
create table private.limits (
  name text primary key,
  points integer not null check (points > 0),
  period interval not null,
  account_factor integer not null default 5 check (account_factor > 0)
);

-- Mails have a smaller factor, because a flooded mailbox is bad too; Supabase itself waits a
-- minute between two mails to one account. Codes have none: they are short.
insert into private.limits (name, points, period, account_factor) values
  ('message', 10, '10 minutes', default),
  ('sign-in', 20, '10 minutes', default),
  ('sign-up', 10, '1 hour', default),
  ('mail', 5, '1 hour', 3),
  ('code', 10, '10 minutes', 1);

create unlogged table private.attempts (
  name text not null,
  subject text not null,
  points integer not null,
  expires_at timestamptz not null,
  primary key (name, subject)
);

create index attempts_expiry on private.attempts (expires_at);

-- Counts one attempt. Returns the seconds to wait if it is one too many, otherwise null.
create function private.take_attempt(
  limit_name text, attempt_subject text, is_account boolean default false
)
returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  rule private.limits;
  allowed integer;
  taken private.attempts;
begin
  select * into strict rule from private.limits where name = limit_name;
  allowed := rule.points * case when is_account then rule.account_factor else 1 end;
  insert into private.attempts as known (name, subject, points, expires_at)
  values (limit_name, attempt_subject, 1, now() + rule.period)
  on conflict (name, subject) do update set
    points = case when known.expires_at < now() then 1 else known.points + 1 end,
    expires_at = case when known.expires_at < now() then now() + rule.period else known.expires_at end
  returning * into taken;
  if taken.points > allowed then
    return greatest(1, ceil(extract(epoch from taken.expires_at - now())));
  end if;
  return null;
end
$$;

-- Deletes some expired counts. Called after the last attempt of a transaction is counted: a
-- transaction that holds counts of others must not wait for more.
create function private.forget_attempts() returns void
language sql security definer set search_path = ''
as $$
  delete from private.attempts where (name, subject) in (
    select name, subject from private.attempts where expires_at < now() limit 10
    for update skip locked
  )
$$;

-- A site on another machine asks on behalf of its visitors. It proves itself with its
-- SITE_SECRET, whose SHA-256 is kept here; then the visitor's address that it sends counts.
create table private.trusted_site (secret_hash bytea primary key);

-- The address of the caller, as the gateway or a trusted site saw it. IPv6 by network, which is
-- what one customer holds. Null outside a request.
create function private.client_address() returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  headers jsonb := nullif(current_setting('request.headers', true), '')::jsonb;
  address text;
begin
  if exists (
    select from private.trusted_site
    where secret_hash = sha256(convert_to(headers ->> 'x-site-secret', 'UTF8'))
  ) then
    address := headers ->> 'x-visitor-address';
  else
    address := coalesce(
      headers ->> 'cf-connecting-ip',
      trim(split_part(headers ->> 'x-forwarded-for', ',', -1))
    );
  end if;
  address := regexp_replace(address, '^::ffff:(?=\d+\.)', '', 'i');
  if address is null or not pg_input_is_valid(address, 'inet') then
    return null;
  end if;
  return case family(address::inet)
    when 6 then network(set_masklen(address::inet, 64))::text
    else host(address::inet)
  end;
end
$$;

-- Counts an attempt for the caller's address and for the account that it is about. Returns the
-- seconds to wait if either has had too many, otherwise null.
create function public.take_attempt(kind text, account text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  address text := private.client_address();
  wait integer;
begin
  if (kind in ('sign-in', 'sign-up', 'mail', 'code') and char_length(account) <= 320) is not true then
    raise sqlstate 'PT400' using message = 'Unknown kind of attempt';
  end if;
  if address is not null then
    wait := private.take_attempt(kind, 'address ' || address);
  end if;
  if wait is null then
    wait := private.take_attempt(kind, 'account ' || lower(account), true);
  end if;
  perform private.forget_attempts();
  return wait;
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.take_attempt from public, anon, authenticated;
grant execute on function public.take_attempt to anon, authenticated;
