-- Against abuse: limits that all servers share, and a place for what looks like spam.

alter table public.contact_messages
  add column spam_reason text,
  add constraint spam_reason_is_known
    check (spam_reason in ('trap', 'haste', 'links', 'repeat'));

drop index public.contact_messages_newest;
create index contact_messages_newest on public.contact_messages (created_at desc, id desc)
  where spam_reason is null;
create index contact_messages_spam on public.contact_messages (created_at desc, id desc)
  where spam_reason is not null;
create index contact_messages_text on public.contact_messages (md5(message), created_at);

-- A sender can only ever mark a message as spam; taking the mark off is the reader's.
grant insert (spam_reason) on public.contact_messages to anon, authenticated;
grant update (spam_reason) on public.contact_messages to authenticated;

create policy "whoever reads the inbox sorts it" on public.contact_messages
  for update to authenticated
  using ((select private.may_read_inbox()))
  with check ((select private.may_read_inbox()));

create policy "with the second factor, if there is one, to sort" on public.contact_messages
  as restrictive for update to authenticated using ((select private.second_factor_is_met()));

-- How often a thing may be done in a while, from one address; change a row to change a limit.
-- About one account it may be done `account_factor` times as often, from all addresses
-- together: otherwise one stranger's address could keep an account's owner out.
create table private.limits (
  name text primary key,
  points integer not null check (points > 0),
  period interval not null,
  account_factor integer not null default 5 check (account_factor > 0)
);

-- Not multiplied: mails, since a flooded mailbox is worse than a late mail, and codes, which
-- are short and asked for only after the password.
insert into private.limits (name, points, period, account_factor) values
  ('message', 10, '10 minutes', default),
  ('sign-in', 20, '10 minutes', default),
  ('sign-up', 10, '1 hour', default),
  ('mail', 5, '1 hour', 1),
  ('code', 10, '10 minutes', 1);

create unlogged table private.attempts (
  name text not null,
  subject text not null,
  points integer not null,
  expires_at timestamptz not null,
  primary key (name, subject)
);

create index attempts_expiry on private.attempts (expires_at);

-- Counts one attempt; gives the seconds to wait if it is one too many, otherwise null.
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
  delete from private.attempts where (name, subject) in (
    select name, subject from private.attempts where expires_at < now() limit 10
    for update skip locked
  );
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

-- A site on another machine speaks for its visitors: it proves itself with its SITE_SECRET,
-- of which this holds the SHA-256, and then its word for their addresses counts.
create table private.trusted_site (secret_hash bytea primary key);

-- Who asks, as the gateway or a trusted site saw it; IPv6 by network, which is what one
-- customer holds. Null outside a request.
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

-- Counts an attempt at the caller's address and at the account that it is about. Gives the
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
  return wait;
end
$$;

-- What a message meets on its way in, in this order: a repeat is dropped, a flood is refused,
-- what looks like spam is kept apart.
drop trigger skip_repeated_message on public.contact_messages;
drop function private.skip_repeated_message;

create function private.receive_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  content text := md5(new.name || chr(31) || new.email || chr(31) || new.message);
  address text := private.client_address();
  wait integer;
begin
  -- Two copies at the same moment: the second waits here until the first is committed.
  perform pg_advisory_xact_lock(hashtextextended(content, 0));
  if exists (
    select from public.contact_messages
    where md5(name || chr(31) || email || chr(31) || message) = content
      and created_at > clock_timestamp() - interval '10 minutes'
  ) then
    return null;
  end if;

  if address is not null and coalesce(auth.role(), '') <> 'service_role' then
    wait := private.take_attempt('message', address);
    if wait is not null then
      raise sqlstate 'PT429' using message = 'Too many messages', detail = wait::text;
    end if;
  end if;

  if new.spam_reason is null then
    new.spam_reason := case
      when regexp_count(new.message, 'https?://|www\.', 1, 'i') > 3 then 'links'
      when char_length(new.message) > 20 and exists (
        select from public.contact_messages
        where md5(message) = md5(new.message) and message = new.message
          and created_at > clock_timestamp() - interval '1 day'
      ) then 'repeat'
    end;
  end if;
  return new;
end
$$;

create trigger receive_message before insert on public.contact_messages
  for each row execute function private.receive_message();

-- How many messages there are, kept as they come and go; in slots, so that writers at the same
-- moment do not wait for each other.
create table private.message_counts (
  slot integer,
  is_spam boolean,
  messages bigint not null,
  primary key (slot, is_spam)
);

create function private.count_message(is_spam boolean, change integer) returns void
language sql security definer set search_path = ''
as $$
  insert into private.message_counts as known values (pg_backend_pid() % 16, is_spam, change)
  on conflict (slot, is_spam) do update set messages = known.messages + excluded.messages
$$;

create function private.count_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op <> 'INSERT' then
    perform private.count_message(old.spam_reason is not null, -1);
  end if;
  if tg_op <> 'DELETE' then
    perform private.count_message(new.spam_reason is not null, 1);
  end if;
  return null;
end
$$;

create trigger count_messages after insert or update of spam_reason or delete
  on public.contact_messages for each row execute function private.count_messages();

select private.count_message(false, (select count(*) from public.contact_messages)::integer);

-- What the board tells about itself: whose it is for the caller, and how much it holds.
create function public.inbox_state(
  out owner text, out may_read boolean, out messages bigint, out spam bigint
)
language sql stable security definer set search_path = ''
as $$
  select
    private.inbox_owner(),
    private.may_read_inbox() and private.second_factor_is_met(),
    coalesce(sum(c.messages) filter (where not c.is_spam), 0),
    coalesce(sum(c.messages) filter (where c.is_spam), 0)
  from private.message_counts c
  where private.may_read_inbox() and private.second_factor_is_met()
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.take_attempt, public.inbox_state
  from public, anon, authenticated;
grant execute on function public.take_attempt to anon, authenticated;
grant execute on function public.inbox_state to authenticated;
