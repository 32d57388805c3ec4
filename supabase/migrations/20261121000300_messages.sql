-- Messages that visitors leave on the home page.
-- The checks repeat what app/models/message.ts promises, so that a direct insert with the public
-- key meets the same rules as the form.

-- Line breaks and tabs are text. Other control characters, and the marks that reorder what is
-- displayed (U+202A-202E, U+2066-2069), can only deceive the reader.
create function private.is_plain_text(value text) returns boolean
language sql immutable parallel safe
as $$
  select value !~ U&'[\0001-\0008\000B-\001F\007F-\009F\061C\200E\200F\202A-\202E\2066-\2069]'
$$;

-- Blanks and zero-width characters alone would be an empty name on the board.
create function private.is_visible(value text) returns boolean
language sql immutable parallel safe
as $$
  select value ~ U&'[^\0001-\0020\007F-\00A0\00AD\061C\1680\180E\2000-\200F\2028-\202F\205F-\206F\3000\FEFF]'
$$;

-- E-mail addresses in any script (RFC 6531), by the rules of app/lib/email.ts.
create function private.is_email(value text) returns boolean
language sql immutable parallel safe
as $$
  select value !~ ('[\u0001- "(),:;<>[\\\]\u007F-\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4'
      '\u17B5\u180B-\u180F\u2000-\u206F\u3000-\u3003\u3164\uE000-\uF8FF\uFE00-\uFE0F\uFEFF'
      '\uFF00-\uFFFF\U0001D173-\U0001D17A\U000E0000-\U0010FFFF]')
    and value ~ '^[^.@]+(?:\.[^.@]+)*@[^.@]+(?:\.[^.@]+)+$'
    and split_part(value, '@', 2) !~ '[!-,/:-@[-`{-~]|(?:^|\.)-|-(?:\.|$)|\.[0-9]+$|[^.]{64}'
    and char_length(split_part(value, '@', 1)) <= 64
$$;

create table public.contact_messages (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null,
  message text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Why the message is spam; null if it is not.
  spam_signs text[],

  constraint name_length check (char_length(name) between 1 and 100),
  constraint name_is_one_plain_line
    check (private.is_plain_text(name) and private.is_visible(name) and name !~ '[\t\n]' and name = btrim(name)),
  constraint email_length check (char_length(email) between 3 and 254),
  constraint email_shape check (private.is_email(email)),
  constraint message_length check (char_length(message) between 1 and 5000),
  constraint message_is_plain check (private.is_plain_text(message) and private.is_visible(message)),
  -- trap: a field was filled that people do not see. haste: the form was sent in less time than
  -- people need. unseen: the form's page was not asked for, or cookies are blocked. links: more
  -- than three. repeat: another message of the last day has the same text.
  constraint spam_signs_are_known check (
    spam_signs <@ array['trap', 'haste', 'unseen', 'links', 'repeat']
    and array_ndims(spam_signs) = 1 and cardinality(spam_signs) <= 5
  )
);

create index contact_messages_newest on public.contact_messages (created_at desc, id desc)
  where spam_signs is null;
create index contact_messages_spam on public.contact_messages (created_at desc, id desc)
  where spam_signs is not null;
create index contact_messages_text on public.contact_messages (md5(message), created_at);
-- The home page is the same bytes for every visitor, so a repeat (double click, reload, retry
-- after a broken connection) carries no key of its own: its content identifies it.
create index contact_messages_content on public.contact_messages
  (md5(name || chr(31) || email || chr(31) || message), created_at);

alter table public.contact_messages enable row level security;

-- A sender can add signs of spam, and take none away; only the owner takes the mark off.
revoke all on public.contact_messages from anon, authenticated;
grant insert (name, email, message, spam_signs) on public.contact_messages to anon, authenticated;
grant select, update (spam_signs) on public.contact_messages to authenticated;

create policy "anyone may leave a message" on public.contact_messages
  for insert to anon, authenticated with check (true);

-- The subselects make Postgres ask once per statement, not once per row.
create policy "the inbox is read by its readers" on public.contact_messages
  for select to authenticated using ((select private.may_read_inbox()));

create policy "reading needs the second factor, if there is one" on public.contact_messages
  as restrictive for select to authenticated using ((select private.second_factor_is_met()));

create policy "the inbox is sorted by its owner" on public.contact_messages
  for update to authenticated
  using ((select private.owns_inbox()))
  with check ((select private.owns_inbox()));

create policy "sorting needs the second factor, if there is one" on public.contact_messages
  as restrictive for update to authenticated using ((select private.second_factor_is_met()));

alter publication supabase_realtime add table public.contact_messages;
-- Policies do not decide about deletions, so their ids would reach strangers.
alter publication supabase_realtime set (publish = 'insert, update');

-- Handles each new message, in this order: a flood is refused, a repeat is dropped, likely spam is
-- marked. A lock is waited for a second at most: visitors share the database's connections.
create function private.receive_message() returns trigger
language plpgsql security definer set search_path = '' set lock_timeout = '1s'
as $$
declare
  content text := md5(new.name || chr(31) || new.email || chr(31) || new.message);
  address text := private.client_address();
  signs text[] := new.spam_signs;
  rows_before integer := nullif(current_setting('private.rows_before', true), '');
  wait integer;
begin
  if address is not null then
    if rows_before >= 20 then
      raise sqlstate 'PT413' using message = 'Too many messages in one insert';
    end if;
    perform set_config('private.rows_before', (coalesce(rows_before, 0) + 1)::text, true);
    wait := private.take_attempt(
      'message', 'address ' || address, (select points from private.limits where name = 'message')
    );
    if wait is not null then
      raise sqlstate 'PT429' using message = 'Too many messages', detail = wait::text;
    end if;
    perform private.forget_attempts(10);
    -- Of two copies at the same moment, the second waits here until the first is committed. An
    -- import takes no locks: they are few.
    perform pg_advisory_xact_lock(hashtextextended(content, 0));
  end if;

  if exists (
    select from public.contact_messages
    where md5(name || chr(31) || email || chr(31) || message) = content
      and created_at > clock_timestamp() - interval '10 minutes'
  ) then
    return null;
  end if;

  -- An import brings its own marks.
  if address is null and signs is not null then
    return new;
  end if;
  if regexp_count(new.message, 'https?://|www\.', 1, 'i') > 3 then
    signs := array_append(signs, 'links');
  end if;
  if char_length(new.message) > 20 and exists (
    select from public.contact_messages
    where md5(message) = md5(new.message) and message = new.message
      and created_at > clock_timestamp() - interval '1 day'
  ) then
    signs := array_append(signs, 'repeat');
  end if;
  -- People do each of these, so two signs must agree; only the trap is enough alone.
  new.spam_signs := case when 'trap' = any (signs) or cardinality(signs) > 1 then signs end;
  return new;
end
$$;

create trigger receive_message before insert on public.contact_messages
  for each row execute function private.receive_message();

revoke execute on all functions in schema private from public;
grant execute on function private.is_plain_text, private.is_visible, private.is_email
  to anon, authenticated, service_role;
