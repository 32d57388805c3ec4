-- Messages that visitors leave on the home page.
-- The checks repeat what app/models/message.ts promises, so that a direct insert
-- with the public key meets the same rules as the form.

create schema private;

-- Line breaks and tabs are text; every other control character, and the marks that
-- reorder what is displayed (U+202A-202E, U+2066-2069), can only deceive the reader.
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

create table public.contact_messages (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null,
  message text not null,
  created_at timestamptz not null default clock_timestamp(),

  constraint name_length check (char_length(name) between 1 and 100),
  constraint name_is_one_plain_line
    check (private.is_plain_text(name) and private.is_visible(name) and name !~ '[\t\n]' and name = btrim(name)),
  constraint email_length check (char_length(email) between 3 and 254),
  constraint email_shape check (email ~ '^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$' and private.is_plain_text(email)),
  constraint message_length check (char_length(message) between 1 and 5000),
  constraint message_is_plain check (private.is_plain_text(message) and private.is_visible(message))
);

create index contact_messages_newest on public.contact_messages (created_at desc, id desc);

-- The home page is the same bytes for every visitor, so a repeat (double click, reload,
-- retry after a cut) carries no key of its own: it is recognised by its content.
create index contact_messages_content on public.contact_messages
  (md5(name || chr(31) || email || chr(31) || message), created_at);

create function private.skip_repeated_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  content text := pg_catalog.md5(new.name || pg_catalog.chr(31) || new.email || pg_catalog.chr(31) || new.message);
begin
  -- Two copies at the same moment: the second waits here until the first is committed.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(content, 0));
  if exists (
    select from public.contact_messages
    where pg_catalog.md5(name || pg_catalog.chr(31) || email || pg_catalog.chr(31) || message) = content
      and created_at > pg_catalog.clock_timestamp() - interval '10 minutes'
  ) then
    return null;
  end if;
  return new;
end
$$;

create trigger skip_repeated_message before insert on public.contact_messages
  for each row execute function private.skip_repeated_message();

alter table public.contact_messages enable row level security;

revoke all on public.contact_messages from anon, authenticated;
grant insert (name, email, message) on public.contact_messages to anon, authenticated;
grant select on public.contact_messages to authenticated;

create policy "anyone may leave a message" on public.contact_messages
  for insert to anon, authenticated with check (true);

create policy "a signed-in account reads the inbox" on public.contact_messages
  for select to authenticated using (true);

alter publication supabase_realtime add table public.contact_messages;
