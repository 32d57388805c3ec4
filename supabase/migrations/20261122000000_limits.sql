-- Limits against abuse, shared by all servers of the site, and who may ask on behalf of others.

-- The comment of each table says whether backups and moves copy its rows: 'Copied', or 'Not copied: '
-- with the reason.

create schema private;
grant usage on schema private to anon, authenticated, service_role;

-- A function, here and in later files, can be called by nobody to whom it is not granted. By default
-- PostgreSQL and Supabase let everybody call it.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public
  revoke execute on functions from anon, authenticated, service_role;

-- How often something may be done in a period. Update a row to change a limit.
create table private.limits (
  name text primary key,
  period interval not null,
  -- From one address; of mails (account_mails.sql) to one mailbox, or in all.
  points integer not null check (points > 0),
  -- From one address for one account, and from all browsers together that the account has used.
  account_points integer check (account_points > 0),
  -- From all other browsers for one account. Beyond it attempts wait, each time longer, up to
  -- `longest_wait`, and are never refused for good: else strangers could keep the owner out. So do
  -- mails beyond `points`.
  account_total integer check (account_total > 0),
  longest_wait interval
);
comment on table private.limits is 'Copied';

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
comment on table private.attempts is 'Not copied: they end within an hour';
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

-- A site on another machine asks on behalf of its visitors. It proves itself with its SITE_SECRET,
-- whose SHA-256 is stored here. Then limits count the visitor's address that it sends.
create table private.trusted_site (secret_hash bytea primary key);
comment on table private.trusted_site is 'Not copied: who knows SITE_SECRET stores its hash again';

-- Whether the request's x-site-secret is the secret of a trusted site. A site asks this at its start,
-- so that a wrong secret is noticed before its visitors share one limit.
create function public.is_trusted_site() returns boolean
language sql stable security definer set search_path = ''
return exists (
  select from private.trusted_site
  where secret_hash = sha256(convert_to(
    nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-site-secret', 'UTF8'
  ))
);

-- Refuses callers that are not the site itself.
create function private.require_site() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if (auth.role() = 'service_role' or public.is_trusted_site()) is not true then
    raise sqlstate 'PT403' using message = 'Only the site may do this';
  end if;
end
$$;

-- For the site: a batch of its daily sweep of addresses. Returns how many it deleted.
create function public.sweep_attempts() returns integer
language sql security definer set search_path = ''
as $$ select private.require_site(); select private.sweep_attempts(1000) $$;

-- An address as limits count it: of IPv6 the /64, which one customer holds. All that cannot be read
-- are 'unknown', and share one limit.
create function private.address_key(written text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  address inet;
begin
  -- A port, the brackets that go with it, and a zone are not part of the address.
  written := trim(left(written, 100));
  written := regexp_replace(written, '^(\d+(?:\.\d+){3}):\d+$', '\1');
  written := regexp_replace(written, '^\[(.*)\](?::\d+)?$', '\1');
  written := regexp_replace(written, '%.*$', '');
  address := written;
  if address << '::ffff:0:0/96' then
    address := substr(host(address), char_length('::ffff:') + 1);
  end if;
  return case family(address)
    when 4 then host(address)
    when 6 then network(set_masklen(address, 64))::text
    else 'unknown'
  end;
-- PostgreSQL 15 has no pg_input_is_valid.
exception when invalid_text_representation then
  return 'unknown';
end
$$;

-- The caller's address, as the gateway or a trusted site saw it. Null for callers without limits:
-- outside a request, and service_role.
create function private.client_address() returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  headers jsonb := nullif(current_setting('request.headers', true), '')::jsonb;
begin
  if headers is null or auth.role() = 'service_role' then
    return null;
  end if;
  return private.address_key(case
    when public.is_trusted_site() then headers ->> 'x-visitor-address'
    else coalesce(
      headers ->> 'cf-connecting-ip', split_part(headers ->> 'x-forwarded-for', ',', -1)
    )
  end);
end
$$;

-- Signs the proofs that a browser was used by an account (accounts.sql).
create table private.device_key (
  singleton boolean primary key default true check (singleton),
  key bytea not null default extensions.gen_random_bytes(32)
);
comment on table private.device_key is 'Copied';
insert into private.device_key default values;

-- The proof for an account. It ends with the account's password.
create function private.device_proof(account auth.users) returns text
language sql stable security definer set search_path = ''
as $$
  select left(encode(
    extensions.hmac(
      convert_to(concat(account.id, account.encrypted_password), 'UTF8'), key, 'sha256'
    ), 'hex'
  ), 32)
  from private.device_key
$$;

-- Counts an attempt at an account, which is an e-mail address or a user's id. A browser with the
-- account's proof has a count of its own, so that strangers cannot use it up. Without a proof, or when
-- that count is used up, attempts count by address and account, by address, and by account. Returns
-- the seconds to wait if there were too many, otherwise null.
create function public.take_attempt(kind text, account text, device text default null)
returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  rule private.limits;
  subject text := lower(account);
  known auth.users;
  caller text := 'address ' || private.client_address();
  wait integer;
begin
  select * into rule from private.limits where name = kind and account_points is not null;
  if not found or (char_length(account) <= 320) is not true then
    raise sqlstate 'PT400' using message = 'Unknown kind of attempt';
  end if;
  if device ~ '^[0-9a-f]{32}$' then
    select * into known from auth.users u
    where u.email = subject or u.id = case
      when subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then subject::uuid
    end
    limit 1;
    -- Computed also without an account, so that the time does not show whether there is one.
    if device = private.device_proof(known) and known.id is not null
      and private.take_attempt(kind, 'browsers of ' || subject, rule.account_points) is null
    then
      return null;
    end if;
  end if;
  if caller is not null then
    -- Asked first: an address without points must not fill the table.
    wait := coalesce(
      (
        select greatest(1, ceil(extract(epoch from a.expires_at - now())))
        from private.attempts a
        where a.name = kind and a.subject = caller and a.points >= rule.points
          and a.expires_at > now()
      ),
      private.take_attempt(kind, caller || ' for ' || subject, rule.account_points),
      private.take_attempt(kind, caller, rule.points)
    );
  end if;
  if wait is null then
    wait := private.take_attempt(kind, 'account ' || subject, rule.account_total, rule.longest_wait);
  end if;
  perform private.sweep_attempts(10);
  return wait;
end
$$;

-- Takes back an attempt that was right, so that only wrong ones count. The caller's session shows that
-- its password or code was accepted a moment ago; each acceptance takes one attempt back.
create function public.return_attempt(kind text, device text default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  known auth.users;
  accepted timestamptz;
  account text;
  counted text;
  caller text := 'address ' || private.client_address();
begin
  select * into known from auth.users where id = auth.uid();
  select updated_at into accepted from auth.mfa_amr_claims
  where session_id::text = auth.jwt() ->> 'session_id'
    and authentication_method = case kind when 'sign-in' then 'password' when 'code' then 'totp' end
    and updated_at > now() - interval '1 minute';
  if known.id is null or accepted is null then
    return;
  end if;
  insert into private.attempts (name, subject, points, expires_at)
  values ('returned ' || kind, concat(auth.jwt() ->> 'session_id', ' ', accepted), 1,
    now() + interval '2 minutes')
  on conflict do nothing;
  if not found then
    return;
  end if;
  account := case kind when 'sign-in' then known.email else known.id::text end;
  -- In the order in which they were counted, to avoid deadlocks.
  foreach counted in array
    case when device = private.device_proof(known) then array['browsers of ' || account]
    else array[
      caller || ' for ' || account, caller, private.network_of(caller), 'account ' || account
    ] end
  loop
    update private.attempts set points = points - 1
    where name = kind and points > 0 and subject = counted;
  end loop;
end
$$;

-- npm run types reads these comments, here and in the other files.
comment on function public.take_attempt is 'Nullable: result';

-- The site waits 5 seconds for a page and 10 for a form. The database gives up earlier, so that a
-- statement for which nobody waits any more holds no connection and no lock.
alter role anon set statement_timeout = '3s';
-- Long enough for a commit that hangs: NOTIFY, which tells open boards, lets writers commit in turn.
alter role anon set lock_timeout = '3s';
alter role authenticated set statement_timeout = '4s';
alter role authenticated set lock_timeout = '3s';
alter role service_role set statement_timeout = '8s';
alter role service_role set lock_timeout = '3s';

-- PostgREST reads the settings of roles when it starts, and then.
notify pgrst, 'reload config';

grant execute on function public.take_attempt to anon, authenticated;
grant execute on function public.return_attempt to authenticated;
grant execute on function public.is_trusted_site to anon;
