-- Messages that visitors leave on the home page, and their states.
-- The checks repeat those of the form (app/models/message-fields.server.ts).

-- Whether all signs of spam are known. trap: a field that people do not see was filled. haste: the form was
-- sent in less time than people need. unseen: the form's page was not requested, or cookies are blocked.
-- links: the text has more than three. repeat: another message of the last day has the same text. flood:
-- the sender's address has sent too many in a day. owner: the owner said so.
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
  -- When it came to the trash because of its age. Null if it is not there, or the owner moved it.
  expired_at timestamptz,
  -- When it was last taken out of the trash. The time that it is kept begins again then.
  restored_at timestamptz,
  -- The owner's own words about the message.
  note text,
  -- Why the message is spam; null if it is not.
  spam_signs text[],
  -- When it became spam.
  spam_at timestamptz,
  -- The signs that the owner did not agree with. They come back if the owner marks the message as spam
  -- again.
  accepted_signs text[],
  -- The id of the action that last changed its state, the same for all messages that it changed.
  last_change uuid,
  -- By the first of its marks.
  state text not null generated always as (
    case
      when deleted_at is not null then 'trash'
      when spam_signs is not null then 'spam'
      when archived_at is not null then 'archived'
      when answered_at is not null then 'answered'
      else 'waiting'
    end
  ) stored,

  constraint name_is_one_plain_line check (
    private.is_plain_text(name, 100) and name !~ '[\t\n\u2028\u2029]' and name = btrim(name)
  ),
  constraint email_is_valid check (char_length(email) <= 254 and private.is_email(email)),
  constraint phone_is_e164 check (phone ~ '^[1-9][0-9]{6,14}$'),
  constraint message_is_plain check (private.is_plain_text(message, 5000)),
  constraint note_is_plain check (private.is_plain_text(note, 2000)),
  constraint spam_signs_are_known check (private.are_signs(spam_signs)),
  -- JavaScript reads no other dates, and the board could not compute when an answer is due.
  constraint created_at_is_a_date check (
    created_at >= '1970-01-01 00:00Z' and created_at < '9999-01-01 00:00Z'
  ),
  constraint spam_has_a_time check ((spam_at is null) = (spam_signs is null)),
  constraint expired_is_trash check (expired_at is null or deleted_at is not null),
  constraint accepted_signs_are_known check (private.are_signs(accepted_signs))
);

-- The first is for the pages of a box. The second is for its count, and small enough to be read as a whole.
create index contact_messages_page on public.contact_messages (state, created_at desc, id desc);
create index contact_messages_state on public.contact_messages (state);
create index contact_messages_last_change on public.contact_messages (last_change);
create index contact_messages_text on public.contact_messages (md5(message), created_at);

alter table public.contact_messages enable row level security;
revoke all on public.contact_messages from anon, authenticated, service_role;
-- The site hears of these ids by Realtime. Each row is read with the rights of its reader.
grant select (id) on public.contact_messages to service_role;
grant select on public.contact_messages to authenticated;
grant update (
  answered_at, archived_at, deleted_at, expired_at, restored_at, note, spam_signs, accepted_signs,
  last_change
) on public.contact_messages to authenticated;

-- The subselects make Postgres ask once per statement, not once per row.
create policy "the inbox is read by its readers" on public.contact_messages
  for select to authenticated using ((select private.may_read_inbox()));
create policy "the inbox is sorted by its owner" on public.contact_messages for update to authenticated
  using ((select private.owns_inbox())) with check ((select private.owns_inbox()));

alter publication supabase_realtime add table public.contact_messages;
-- Policies do not decide about deletions, so their ids would reach strangers.
alter publication supabase_realtime set (publish = 'insert, update');

-- Whether a client sent a message. private.attempts knows it as long as the message can be repeated, so
-- that no address is stored beside the message. Null if nobody knows, because a crash empties that table.
create function private.is_sender(client text, message uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select bool_or(subject = message || ' by ' || client) from private.attempts
  where name = 'sent' and subject in (message::text, message || ' by ' || client)
$$;

-- For the site: stores a message that a visitor sent from an address. `message` has the form's fields by
-- the names of their columns, null if empty, and the signs of spam that only the site can see. Refuses a
-- flood, drops a repeat, marks likely spam, and stores the notifications. Returns the id. A repeat of the
-- sender's own message returns the id of that one. A repeat of a message that may be another sender's
-- returns null, because its receipt is not the sender's. `wait_seconds` is set if too many came from the
-- address; nothing is stored then. The function waits for a lock for a second at most, because visitors
-- share the database's connections.
create function public.leave_message(
  message jsonb, address inet, out id uuid, out wait_seconds integer
)
language plpgsql security definer set search_path = '' set lock_timeout = '1s'
as $$
declare
  sent constant jsonb := message - 'spam_signs';
  sender constant text := private.address_key(address);
  is_flood boolean := false;
  signs text[];
begin
  wait_seconds := private.take_attempt('message', sender);
  if wait_seconds is null and private.take_attempt('message-day', sender) is not null then
    is_flood := true;
    wait_seconds := private.take_attempt('flood', 'all');
  end if;
  perform private.sweep_attempts(10);
  if wait_seconds is not null then
    return;
  end if;
  -- If two copies arrive at the same moment, the second waits here until the first is committed.
  perform pg_advisory_xact_lock(hashtextextended(sent::text, 0));
  -- The home page has the same bytes for every visitor, so a repeat (double click, reload, retry after a
  -- broken connection) has no key: its content identifies it. Spam and messages of others do not count,
  -- because a copy that comes first must not drop the genuine message.
  select case when private.is_sender(sender, m.id) then m.id end into id
  from public.contact_messages m
  where md5(m.message) = md5(sent ->> 'message') and to_jsonb(m) @> sent
    and m.spam_signs is null
    and m.created_at > now() - interval '10 minutes'
    and private.is_sender(sender, m.id) is not false
  order by 1 limit 1;
  if found then
    return;
  end if;
  signs := array(select jsonb_array_elements_text(message -> 'spam_signs'))
    || case when regexp_count(left(sent ->> 'message', 5001), 'https?://|www\.', 1, 'i') > 3 then array['links'] end
    || case when char_length(sent ->> 'message') > 20 and exists (
      select from public.contact_messages m
      where md5(m.message) = md5(sent ->> 'message') and m.message = sent ->> 'message'
        and m.created_at > now() - interval '1 day'
    ) then array['repeat'] end
    || case when is_flood then array['flood'] end;
  -- People cause each of the other signs now and then, so two of them must come together. A browser without
  -- cookies is nothing that the sender did, so `unseen` is not one of the two.
  if not (signs && array['trap', 'flood'] or cardinality(array_remove(signs, 'unseen')) > 1) then
    signs := null;
  end if;
  id := gen_random_uuid();
  -- The site names the columns, so that a new field needs no line here.
  execute format(
    'insert into public.contact_messages (id, spam_signs, %1$s)
    select $1, $2, %1$s from jsonb_populate_record(null::public.contact_messages, $3)',
    (select string_agg(quote_ident(name), ', ') from jsonb_object_keys(sent) name)
  ) using id, signs, sent;
  insert into private.attempts (name, subject, points, expires_at)
  select 'sent', subject, 1, now() + interval '10 minutes'
  from unnest(array[id::text, id || ' by ' || sender]) subject;
  if signs is null then
    perform private.store_notifications(id);
  end if;
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

-- A restored row has the time already.
create trigger spam_is_dated before insert or update on public.contact_messages
  for each row when ((new.spam_at is null) <> (new.spam_signs is null))
  execute function private.date_spam();

grant execute on function public.leave_message to service_role;

-- Constraints run with the rights of who changes a row.
grant execute on function private.are_signs to authenticated;
