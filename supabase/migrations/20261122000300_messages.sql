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

-- The texts of a visitor's message are checked as the form checks them (app/lib/plain-text.ts). A
-- trigger does it and no constraint: messages from before can be sorted and restored.

-- All marks of Unicode 17 (general category M), as a regular expression's class has them.
create function private.marks() returns text
language sql immutable parallel safe
as $$
  select
      '\u0300-\u036F\u0483-\u0489\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A'
      '\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED\u0711\u0730-\u074A'
      '\u07A6-\u07B0\u07EB-\u07F3\u07FD\u0816-\u0819\u081B-\u0823\u0825-\u0827\u0829-\u082D'
      '\u0859-\u085B\u0897-\u089F\u08CA-\u08E1\u08E3-\u0903\u093A-\u093C\u093E-\u094F\u0951-\u0957'
      '\u0962\u0963\u0981-\u0983\u09BC\u09BE-\u09C4\u09C7\u09C8\u09CB-\u09CD\u09D7\u09E2\u09E3'
      '\u09FE\u0A01-\u0A03\u0A3C\u0A3E-\u0A42\u0A47\u0A48\u0A4B-\u0A4D\u0A51\u0A70\u0A71\u0A75'
      '\u0A81-\u0A83\u0ABC\u0ABE-\u0AC5\u0AC7-\u0AC9\u0ACB-\u0ACD\u0AE2\u0AE3\u0AFA-\u0AFF'
      '\u0B01-\u0B03\u0B3C\u0B3E-\u0B44\u0B47\u0B48\u0B4B-\u0B4D\u0B55-\u0B57\u0B62\u0B63\u0B82'
      '\u0BBE-\u0BC2\u0BC6-\u0BC8\u0BCA-\u0BCD\u0BD7\u0C00-\u0C04\u0C3C\u0C3E-\u0C44\u0C46-\u0C48'
      '\u0C4A-\u0C4D\u0C55\u0C56\u0C62\u0C63\u0C81-\u0C83\u0CBC\u0CBE-\u0CC4\u0CC6-\u0CC8'
      '\u0CCA-\u0CCD\u0CD5\u0CD6\u0CE2\u0CE3\u0CF3\u0D00-\u0D03\u0D3B\u0D3C\u0D3E-\u0D44'
      '\u0D46-\u0D48\u0D4A-\u0D4D\u0D57\u0D62\u0D63\u0D81-\u0D83\u0DCA\u0DCF-\u0DD4\u0DD6'
      '\u0DD8-\u0DDF\u0DF2\u0DF3\u0E31\u0E34-\u0E3A\u0E47-\u0E4E\u0EB1\u0EB4-\u0EBC\u0EC8-\u0ECE'
      '\u0F18\u0F19\u0F35\u0F37\u0F39\u0F3E\u0F3F\u0F71-\u0F84\u0F86\u0F87\u0F8D-\u0F97'
      '\u0F99-\u0FBC\u0FC6\u102B-\u103E\u1056-\u1059\u105E-\u1060\u1062-\u1064\u1067-\u106D'
      '\u1071-\u1074\u1082-\u108D\u108F\u109A-\u109D\u135D-\u135F\u1712-\u1715\u1732-\u1734'
      '\u1752\u1753\u1772\u1773\u17B4-\u17D3\u17DD\u180B-\u180D\u180F\u1885\u1886\u18A9'
      '\u1920-\u192B\u1930-\u193B\u1A17-\u1A1B\u1A55-\u1A5E\u1A60-\u1A7C\u1A7F\u1AB0-\u1ADD'
      '\u1AE0-\u1AEB\u1B00-\u1B04\u1B34-\u1B44\u1B6B-\u1B73\u1B80-\u1B82\u1BA1-\u1BAD\u1BE6-\u1BF3'
      '\u1C24-\u1C37\u1CD0-\u1CD2\u1CD4-\u1CE8\u1CED\u1CF4\u1CF7-\u1CF9\u1DC0-\u1DFF\u20D0-\u20F0'
      '\u2CEF-\u2CF1\u2D7F\u2DE0-\u2DFF\u302A-\u302F\u3099\u309A\uA66F-\uA672\uA674-\uA67D'
      '\uA69E\uA69F\uA6F0\uA6F1\uA802\uA806\uA80B\uA823-\uA827\uA82C\uA880\uA881\uA8B4-\uA8C5'
      '\uA8E0-\uA8F1\uA8FF\uA926-\uA92D\uA947-\uA953\uA980-\uA983\uA9B3-\uA9C0\uA9E5\uAA29-\uAA36'
      '\uAA43\uAA4C\uAA4D\uAA7B-\uAA7D\uAAB0\uAAB2-\uAAB4\uAAB7\uAAB8\uAABE\uAABF\uAAC1'
      '\uAAEB-\uAAEF\uAAF5\uAAF6\uABE3-\uABEA\uABEC\uABED\uFB1E\uFE00-\uFE0F\uFE20-\uFE2F\U000101FD'
      '\U000102E0\U00010376-\U0001037A\U00010A01-\U00010A03\U00010A05\U00010A06'
      '\U00010A0C-\U00010A0F\U00010A38-\U00010A3A\U00010A3F\U00010AE5\U00010AE6'
      '\U00010D24-\U00010D27\U00010D69-\U00010D6D\U00010EAB\U00010EAC\U00010EFA-\U00010EFF'
      '\U00010F46-\U00010F50\U00010F82-\U00010F85\U00011000-\U00011002\U00011038-\U00011046'
      '\U00011070\U00011073\U00011074\U0001107F-\U00011082\U000110B0-\U000110BA\U000110C2'
      '\U00011100-\U00011102\U00011127-\U00011134\U00011145\U00011146\U00011173'
      '\U00011180-\U00011182\U000111B3-\U000111C0\U000111C9-\U000111CC\U000111CE\U000111CF'
      '\U0001122C-\U00011237\U0001123E\U00011241\U000112DF-\U000112EA\U00011300-\U00011303'
      '\U0001133B\U0001133C\U0001133E-\U00011344\U00011347\U00011348\U0001134B-\U0001134D\U00011357'
      '\U00011362\U00011363\U00011366-\U0001136C\U00011370-\U00011374\U000113B8-\U000113C0'
      '\U000113C2\U000113C5\U000113C7-\U000113CA\U000113CC-\U000113D0\U000113D2\U000113E1\U000113E2'
      '\U00011435-\U00011446\U0001145E\U000114B0-\U000114C3\U000115AF-\U000115B5'
      '\U000115B8-\U000115C0\U000115DC\U000115DD\U00011630-\U00011640\U000116AB-\U000116B7'
      '\U0001171D-\U0001172B\U0001182C-\U0001183A\U00011930-\U00011935\U00011937\U00011938'
      '\U0001193B-\U0001193E\U00011940\U00011942\U00011943\U000119D1-\U000119D7'
      '\U000119DA-\U000119E0\U000119E4\U00011A01-\U00011A0A\U00011A33-\U00011A39'
      '\U00011A3B-\U00011A3E\U00011A47\U00011A51-\U00011A5B\U00011A8A-\U00011A99'
      '\U00011B60-\U00011B67\U00011C2F-\U00011C36\U00011C38-\U00011C3F\U00011C92-\U00011CA7'
      '\U00011CA9-\U00011CB6\U00011D31-\U00011D36\U00011D3A\U00011D3C\U00011D3D'
      '\U00011D3F-\U00011D45\U00011D47\U00011D8A-\U00011D8E\U00011D90\U00011D91'
      '\U00011D93-\U00011D97\U00011EF3-\U00011EF6\U00011F00\U00011F01\U00011F03'
      '\U00011F34-\U00011F3A\U00011F3E-\U00011F42\U00011F5A\U00013440\U00013447-\U00013455'
      '\U0001611E-\U0001612F\U00016AF0-\U00016AF4\U00016B30-\U00016B36\U00016F4F'
      '\U00016F51-\U00016F87\U00016F8F-\U00016F92\U00016FE4\U00016FF0\U00016FF1\U0001BC9D\U0001BC9E'
      '\U0001CF00-\U0001CF2D\U0001CF30-\U0001CF46\U0001D165-\U0001D169\U0001D16D-\U0001D172'
      '\U0001D17B-\U0001D182\U0001D185-\U0001D18B\U0001D1AA-\U0001D1AD\U0001D242-\U0001D244'
      '\U0001DA00-\U0001DA36\U0001DA3B-\U0001DA6C\U0001DA75\U0001DA84\U0001DA9B-\U0001DA9F'
      '\U0001DAA1-\U0001DAAF\U0001E000-\U0001E006\U0001E008-\U0001E018\U0001E01B-\U0001E021'
      '\U0001E023\U0001E024\U0001E026-\U0001E02A\U0001E08F\U0001E130-\U0001E136\U0001E2AE'
      '\U0001E2EC-\U0001E2EF\U0001E4EC-\U0001E4EF\U0001E5EE\U0001E5EF\U0001E6E3\U0001E6E6'
      '\U0001E6EE\U0001E6EF\U0001E6F5\U0001E8D0-\U0001E8D6\U0001E944-\U0001E94A'
      '\U000E0100-\U000E01EF'
$$;

-- Whether a text shows something: no blanks, controls, marks, private or ignorable characters alone.
create function private.shows(value text) returns boolean
language sql immutable parallel safe
as $$
  select value ~ ('[^\u0001- \u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2'
      '\u115F\u1160\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u2800\u3000\u3164'
      '\uE000-\uF8FF\uFEFF\uFFA0\uFFF0-\uFFFB\U000110BD\U000110CD\U00013430-\U0001343F'
      '\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF\U000F0000-\U0010FFFF'
      || private.marks() || ']')
$$;

-- Whether a letter carries more marks than any script needs (UAX #15, 13).
create function private.has_piled_marks(value text) returns boolean
language sql immutable parallel safe
as $$
  select value ~ ('[' || private.marks() || ']{31}')
$$;

create table public.contact_messages (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null,
  message text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Why the message is spam; null if it is not.
  spam_signs text[],
  -- Digits of E.164, without the plus sign.
  phone text,
  answered_at timestamptz,
  archived_at timestamptz,
  deleted_at timestamptz,
  -- The owner's own words about the message.
  note text,
  -- The signs that the owner took off; they come back when the message is spam again.
  accepted_signs text[],

  constraint name_length check (char_length(name) between 1 and 100),
  constraint name_is_one_plain_line
    check (private.is_plain_text(name) and private.is_visible(name) and name !~ '[\t\n]' and name = btrim(name)),
  constraint email_length check (char_length(email) between 3 and 254),
  constraint email_shape check (private.is_email(email)),
  constraint message_length check (char_length(message) between 1 and 5000),
  constraint message_is_plain check (private.is_plain_text(message) and private.is_visible(message)),
  constraint phone_is_e164 check (phone ~ '^[1-9][0-9]{6,14}$'),
  constraint note_length check (char_length(note) between 1 and 2000),
  constraint note_is_plain check (private.is_plain_text(note) and private.is_visible(note)),
  -- trap: a field was filled that people do not see. haste: the form was sent in less time than
  -- people need. unseen: the form's page was not asked for, or cookies are blocked. links: more
  -- than three. repeat: another message of the last day has the same text. owner: the owner said so.
  constraint spam_signs_are_known check (
    spam_signs <@ array['trap', 'haste', 'unseen', 'links', 'repeat', 'owner']
    and array_ndims(spam_signs) = 1 and cardinality(spam_signs) <= 5
  ),
  constraint accepted_signs_are_known check (
    accepted_signs <@ array['trap', 'haste', 'unseen', 'links', 'repeat', 'owner']
    and array_ndims(accepted_signs) = 1 and cardinality(accepted_signs) <= 5
  )
);

create index contact_messages_all on public.contact_messages (created_at desc, id desc)
  where spam_signs is null and archived_at is null and deleted_at is null;

create index contact_messages_waiting on public.contact_messages (created_at desc, id desc)
  where spam_signs is null and archived_at is null and deleted_at is null and answered_at is null;

create index contact_messages_archived on public.contact_messages (created_at desc, id desc)
  where spam_signs is null and archived_at is not null and deleted_at is null;

create index contact_messages_spam on public.contact_messages (created_at desc, id desc)
  where spam_signs is not null and deleted_at is null;

create index contact_messages_trash on public.contact_messages (created_at desc, id desc)
  where deleted_at is not null;

create index contact_messages_purge on public.contact_messages (deleted_at)
  where deleted_at is not null;
create index contact_messages_text on public.contact_messages (md5(message), created_at);

-- The home page is the same bytes for every visitor, so a repeat (double click, reload, retry
-- after a broken connection) carries no key of its own: its content identifies it.
create index contact_messages_content on public.contact_messages
  (md5(name || chr(31) || email || chr(31) || message), created_at);
alter table public.contact_messages enable row level security;

-- A sender can add signs of spam, and take none away; only the owner takes the mark off.
revoke all on public.contact_messages from anon, authenticated;
grant insert (name, email, message, phone, spam_signs) on public.contact_messages to anon, authenticated;
grant select on public.contact_messages to authenticated;

grant update (spam_signs, answered_at, archived_at, deleted_at, note, accepted_signs) on public.contact_messages
  to authenticated;

create policy "anyone may leave a message" on public.contact_messages
  for insert to anon, authenticated with check (true);

create policy "only the owner speaks for the owner" on public.contact_messages
  as restrictive for insert to anon, authenticated
  with check (('owner' = any (spam_signs)) is not true);

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
-- marked. A lock is waited for a second at most: visitors share the database's connections. A message
-- that is sent again with a number, or with another one, says something new: it is no repeat.
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
      and (new.phone is null or phone = new.phone)
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

create function private.check_texts() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if private.client_address() is not null and (
    not private.shows(new.name) or new.name ~ '[\u2028\u2029]' or not private.shows(new.message)
    or private.has_piled_marks(new.name) or private.has_piled_marks(new.email)
    or private.has_piled_marks(new.message)
  ) then
    raise check_violation using message = 'A text of the message cannot be read',
      table = 'contact_messages', schema = 'public';
  end if;
  return new;
end
$$;

-- After receive_message, by its name.
create trigger refuse_unreadable before insert on public.contact_messages
  for each row execute function private.check_texts();

create function private.state_of(message public.contact_messages) returns text
language sql immutable parallel safe
as $$
  select case
    when message.deleted_at is not null then 'trash'
    when message.spam_signs is not null then 'spam'
    when message.archived_at is not null then 'archived'
    when message.answered_at is not null then 'answered'
    else 'waiting'
  end
$$;

-- Whether a message is in a box: `all` is what the board shows, `any` is all there is.
create function private.is_in_box(message public.contact_messages, box text) returns boolean
language sql immutable parallel safe
as $$
  select case box
    when 'any' then true
    when 'all' then private.state_of(message) in ('waiting', 'answered')
    else private.state_of(message) = box
  end
$$;

-- What the board reads: how many messages there are, and a page of them.

-- Kept as messages come and go. The sum over the rows of a box counts; there are as many rows as
-- there were writers at one moment, so that none waits for another.
create table private.message_counts (
  id integer generated always as identity primary key,
  messages bigint not null,
  state text not null
);

create function private.count_message(in_state text, change integer) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update private.message_counts set messages = messages + change
  where id = (
    select id from private.message_counts where state = in_state
    limit 1 for update skip locked
  );
  if not found then
    insert into private.message_counts (state, messages) values (in_state, change);
  end if;
end
$$;

create function private.count_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.count_message(state, messages) from (
      select private.state_of(a) as state, count(*)::integer as messages from added a group by 1
    ) s;
  elsif tg_op = 'DELETE' then
    perform private.count_message(state, -messages) from (
      select private.state_of(r) as state, count(*)::integer as messages from removed r group by 1
    ) s;
  else
    perform private.count_message(state, change) from (
      select state, sum(one)::integer as change from (
        select private.state_of(r) as state, -1 as one from removed r
        union all select private.state_of(a), 1 from added a
      ) m group by state having sum(one) <> 0
    ) s;
  end if;
  return null;
end
$$;

create trigger count_inserted after insert on public.contact_messages
  referencing new table as added
  for each statement execute function private.count_messages();

create trigger count_updated after update on public.contact_messages
  referencing old table as removed new table as added
  for each statement execute function private.count_messages();

create trigger count_deleted after delete on public.contact_messages
  referencing old table as removed
  for each statement execute function private.count_messages();

-- Reads the boxes, and finds words in them.

-- Up to `most` messages of a box below a place, newest first: `all` is what the board shows, `any`
-- is all there is. Row level security decides for callers that it holds for.
create function private.box_rows(
  box text, before_moment timestamptz, before_id uuid, most integer
) returns setof public.contact_messages
language plpgsql stable set search_path = ''
as $$
declare
  branches text := (
    select string_agg(format(
      '(select * from public.contact_messages where %s and (created_at, id) < ($1, $2)
        order by created_at desc, id desc limit %s)', condition, most
    ), ' union all ')
    from (values
      ('all', 'spam_signs is null and archived_at is null and deleted_at is null'),
      ('waiting', 'spam_signs is null and archived_at is null and deleted_at is null and answered_at is null'),
      ('archived', 'spam_signs is null and archived_at is not null and deleted_at is null'),
      ('spam', 'spam_signs is not null and deleted_at is null'),
      ('trash', 'deleted_at is not null')
    ) known (name, condition)
    where name = box or (box = 'any' and name <> 'waiting')
  );
begin
  if branches is null then
    raise sqlstate 'PT400' using message = 'Unknown box';
  end if;
  return query execute format(
    'select * from (%s) box order by created_at desc, id desc limit %s', branches, most
  ) using before_moment, before_id;
end
$$;
revoke execute on all functions in schema private from public;

grant execute on function private.is_plain_text, private.is_visible, private.is_email
  to anon, authenticated, service_role;

-- Row level security decides about the rows.
grant execute on function private.box_rows, private.state_of to authenticated, service_role;
