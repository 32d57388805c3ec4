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
-- the seconds to wait if there were too many, otherwise null. Only the site calls it, with its visitor's
-- address, and claim_inbox, which has none.
create function public.take_attempt(
  kind text, account text, address inet default null, device text default null
)
returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  rule private.limits;
  subject text := lower(account);
  known auth.users;
  caller text := 'address ' || private.address_key(address);
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

-- Takes back an attempt that the site found right, so that only wrong ones count.
create function public.return_attempt(
  kind text, account text, address inet, device text default null
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  subject text := lower(account);
  caller text := 'address ' || private.address_key(address);
  known auth.users;
  counted text;
begin
  select * into known from auth.users u where u.email = subject or u.id::text = subject limit 1;
  -- In the order in which they were counted, to avoid deadlocks.
  foreach counted in array
    case when device = private.device_proof(known) then array['browsers of ' || subject]
    else array[
      caller || ' for ' || subject, caller, private.network_of(caller), 'account ' || subject
    ] end
  loop
    update private.attempts a set points = points - 1
    where a.name = kind and a.points > 0 and a.subject = counted;
  end loop;
end
$$;

-- npm run types reads these comments, here and in the other files.
comment on function public.take_attempt is 'Nullable: result';

grant execute on function public.take_attempt, public.return_attempt to service_role;
