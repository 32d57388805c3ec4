-- Attempts at an account: passwords and codes, and what else a form may do for an address.

-- Signs the proofs that a browser was used by an account (accounts.sql).
create table private.device_key (
  singleton boolean primary key default true check (singleton),
  key bytea not null default extensions.gen_random_bytes(32) check (octet_length(key) = 32)
);
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

grant execute on function public.take_attempt to anon, authenticated;
grant execute on function public.return_attempt to authenticated;
