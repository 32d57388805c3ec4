-- Messages that visitors leave on the home page, and their states.
-- The checks repeat those of the form (app/models/message.ts), because anybody may insert directly.

-- Whether signs of spam are known ones. trap: a field was filled that people do not see. haste: the
-- form was sent in less time than people need. unseen: the form's page was not asked for, or cookies
-- are blocked. links: more than three. repeat: another message of the last day has the same text.
-- flood: the sender's address has sent too many in a day.
-- owner: the owner said so.
create function private.are_signs(value text[]) returns boolean
language sql immutable parallel safe
return value <@ array['trap', 'haste', 'unseen', 'links', 'repeat', 'flood', 'owner']
  and array_ndims(value) = 1 and cardinality(value) between 1 and 5;

create table public.contact_messages (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null,
  -- Digits of E.164, without the plus sign.
  phone text,
  message text not null,
  created_at timestamptz not null default now(),
  answered_at timestamptz,
  archived_at timestamptz,
  deleted_at timestamptz,
  -- When it came to the trash because of its age; null if it is not there, or the owner's hand moved it.
  expired_at timestamptz,
  -- When it was last taken out of the trash, where the time that it is kept begins again.
  restored_at timestamptz,
  -- The owner's own words about the message.
  note text,
  -- Why the message is spam; null if it is not.
  spam_signs text[],
  -- Since when it is.
  spam_at timestamptz,
  -- The signs that the owner took off; they come back when the message is spam again.
  accepted_signs text[],
  -- The id of the action that last changed its state, the same for all messages that it changed.
  last_change uuid,

  constraint name_is_one_plain_line check (
    private.is_plain_text(name, 100) and name !~ '[\t\n\u2028\u2029]' and name = btrim(name)
  ),
  constraint email_is_valid check (char_length(email) <= 254 and private.is_email(email)),
  constraint phone_is_e164 check (phone ~ '^[1-9][0-9]{6,14}$'),
  constraint message_is_plain check (private.is_plain_text(message, 5000)),
  constraint note_is_plain check (private.is_plain_text(note, 2000)),
  constraint spam_signs_are_known check (private.are_signs(spam_signs)),
  -- One that JavaScript reads: without it the board would reckon for ever when an answer is due.
  constraint created_at_is_a_date check (
    created_at >= '1970-01-01 00:00Z' and created_at < '9999-01-01 00:00Z'
  ),
  constraint spam_has_a_time check ((spam_at is null) = (spam_signs is null)),
  constraint expired_is_trash check (expired_at is null or deleted_at is not null),
  constraint accepted_signs_are_known check (private.are_signs(accepted_signs))
);

-- The state of a message, by the first of its marks.
create function private.state_of(message public.contact_messages) returns text
language sql immutable parallel safe
return case
  when message.deleted_at is not null then 'trash'
  when message.spam_signs is not null then 'spam'
  when message.archived_at is not null then 'archived'
  when message.answered_at is not null then 'answered'
  else 'waiting'
end;

create index contact_messages_state on public.contact_messages
  (private.state_of(contact_messages), created_at desc, id desc);
create index contact_messages_last_change on public.contact_messages (last_change);
create index contact_messages_text on public.contact_messages (md5(message), created_at);
-- The home page is the same bytes for every visitor, so a repeat (double click, reload, retry
-- after a broken connection) carries no key of its own: its content identifies it.
create index contact_messages_content on public.contact_messages
  (md5(name || chr(31) || email || chr(31) || message), created_at);

alter table public.contact_messages enable row level security;
revoke all on public.contact_messages from anon, authenticated;
grant insert (name, email, phone, message, spam_signs) on public.contact_messages
  to anon, authenticated;
grant select on public.contact_messages to authenticated;
grant update (
  answered_at, archived_at, deleted_at, expired_at, restored_at, note, spam_signs, accepted_signs,
  last_change
) on public.contact_messages to authenticated;

create policy "anyone may leave a message, but not speak for the owner" on public.contact_messages
  for insert to anon, authenticated with check (('owner' = any (spam_signs)) is not true);
-- The subselects make Postgres ask once per statement, not once per row.
create policy "the inbox is read by its readers" on public.contact_messages
  for select to authenticated using ((select private.may_read_inbox()));
create policy "the inbox is sorted by its owner" on public.contact_messages for update to authenticated
  using ((select private.owns_inbox())) with check ((select private.owns_inbox()));

alter publication supabase_realtime add table public.contact_messages;
-- Policies do not decide about deletions, so their ids would reach strangers.
alter publication supabase_realtime set (publish = 'insert, update');

-- Whether a client sent a message, by private.attempts, which knows it while the message can be
-- repeated: no address is stored beside it. Null if nobody knows: a crash empties that table.
create function private.is_sender(client text, message uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select bool_or(subject = message || ' by ' || client) from private.attempts
  where name = 'sent' and subject in (message::text, message || ' by ' || client)
$$;

-- Handles each new message in this order: refuses a flood, drops a repeat, marks likely spam. Waits
-- for a lock for a second at most, because visitors share the database's connections. Rows without a
-- request are an import's, and stay as they are. The setting `private.sent_message` tells
-- public.leave_message the id, of the row or of the one that it repeats.
create function private.receive_message() returns trigger
language plpgsql security definer set search_path = '' set lock_timeout = '1s'
as $$
declare
  headers constant jsonb := nullif(current_setting('request.headers', true), '')::jsonb;
  -- A site whose secret is wrong is told no id: all its visitors have one address here.
  is_told constant boolean := headers is null or not headers ? 'x-site-secret' or public.is_trusted_site();
  address constant text := private.client_address();
  signs text[];
  wait integer;
  is_flood boolean := false;
  repeated uuid;
begin
  perform set_config('private.sent_message', case when is_told then new.id::text else '' end, true);
  if headers is null then
    return new;
  end if;
  if address is not null then
    wait := private.take_attempt(
      'message', 'address ' || address, (select points from private.limits where name = 'message')
    );
    if wait is null and private.take_attempt(
      'message-day', 'address ' || address,
      (select points from private.limits where name = 'message-day')
    ) is not null then
      is_flood := true;
      wait := private.take_attempt(
        'flood', 'all', (select points from private.limits where name = 'flood')
      );
    end if;
    if wait is not null then
      raise sqlstate 'PT429' using message = 'Too many messages', detail = wait::text;
    end if;
    perform private.sweep_attempts(10);
    -- Of two copies at the same moment, the second waits here until the first is committed.
    perform pg_advisory_xact_lock(hashtextextended(concat_ws(chr(31), new.name, new.email, new.message), 0));
  end if;
  -- A message that is sent again with a phone number, or with another one, says something new. Spam
  -- does not count, nor what others sent: a copy that comes first must not drop the genuine message.
  -- Only who is known to have sent it learns its id, and only with the phone number: the receipt shows it.
  select case when is_told and m.phone is not distinct from new.phone
    and (address is null or address <> 'unknown' and private.is_sender(address, m.id)) then m.id end
  into repeated
  from public.contact_messages m
  where md5(m.name || chr(31) || m.email || chr(31) || m.message)
      = md5(new.name || chr(31) || new.email || chr(31) || new.message)
    and (new.phone is null or m.phone = new.phone)
    and m.spam_signs is null
    and m.created_at > now() - interval '10 minutes'
    and (address is null or private.is_sender(address, m.id) is not false)
  order by 1 limit 1;
  if found then
    perform set_config('private.sent_message', coalesce(repeated::text, ''), true);
    return null;
  end if;
  if address is not null or new.spam_signs is null then
    signs := coalesce(new.spam_signs, '{}')
      || case when regexp_count(left(new.message, 5001), 'https?://|www\.', 1, 'i') > 3 then array['links'] end
      || case when char_length(new.message) > 20 and exists (
        select from public.contact_messages
        where md5(message) = md5(new.message) and message = new.message
          and created_at > now() - interval '1 day'
      ) then array['repeat'] end
      || case when is_flood then array['flood'] end;
    -- People do the others, so two signs must agree.
    new.spam_signs := case
      when signs && array['trap', 'flood'] or cardinality(signs) > 1 then signs
    end;
  end if;
  if address is not null then
    insert into private.attempts (name, subject, points, expires_at)
    select 'sent', subject, 1, now() + interval '10 minutes'
    from unnest(array[new.id::text, new.id || ' by ' || address]) subject
    on conflict do nothing;
  end if;
  return new;
end
$$;

create trigger receive_message before insert on public.contact_messages
  for each row execute function private.receive_message();

-- Leaves a message with the rights of the caller, who may not select it. Returns its id, or that of the
-- caller's own message that it repeats; null if the caller may not know it (receive_message).
create function public.leave_message(
  name text, email text, message text, phone text default null, spam_signs text[] default null
) returns uuid
language plpgsql set search_path = ''
as $$
begin
  insert into public.contact_messages (name, email, message, phone, spam_signs)
  values (name, email, message, phone, spam_signs);
  return nullif(current_setting('private.sent_message'), '')::uuid;
end
$$;

create function private.date_spam() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.spam_at := case when new.spam_signs is not null then now() end;
  return new;
end
$$;

-- By its name it comes after receive_message. An import has the time already.
create trigger spam_is_dated before insert or update on public.contact_messages
  for each row when ((new.spam_at is null) <> (new.spam_signs is null))
  execute function private.date_spam();

comment on function public.leave_message is 'Nullable: result';

grant execute on function public.leave_message to anon, authenticated, service_role;

-- Constraints run, and indexes are written, with the rights of the sender.
grant execute on function private.are_signs, private.state_of to anon, authenticated, service_role;
