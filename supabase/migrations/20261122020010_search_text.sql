-- The text that is searched, folded as readers of Arabic do, and its index.

create extension if not exists pg_trgm with schema extensions;

-- A text as it is compared. NFKD has the compatibility forms of NFKC, and parts hamza, madda and
-- accents from their letters; they go with vowel signs, tatweel and invisible marks. A hundred
-- characters at a time: sorting the marks on one letter takes quadratic time (5,000: 0.7 s).
create function private.fold(value text) returns text
language plpgsql immutable parallel safe
as $$
declare
  folded text := '';
begin
  for start in 1 .. char_length(value) by 100 loop
    folded := folded || normalize(substr(value, start, 100), NFKD);
  end loop;
  folded := regexp_replace(
    lower(folded),
    '[\u00AD\u0300-\u036F\u0610-\u061C\u0621\u0640\u064B-\u065F\u0670\u0674\u06D6-\u06DC\u06DF-\u06E8'
      '\u06EA-\u06ED\u08D3-\u08FF\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFE00-\uFE0F\uFEFF]+',
    '', 'g'
  );
  folded := translate(folded, 'ىیةٱک', 'ييهاك');
  -- Apart: the cost of translate is the product of both lengths.
  if folded ~ '[٠-٩۰-۹]' then
    folded := translate(folded, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789');
  end if;
  return folded;
end
$$;

-- What a message is found by. No word has a line break, so none reaches over two of the parts.
create function private.search_text(name text, email text, phone text, message text, note text)
returns text
language sql immutable parallel safe
as $$
  select private.fold(
    name || e'\n' || email || e'\n' || coalesce(phone, '') || e'\n' || message || e'\n' || coalesce(note, '')
  )
$$;

-- Folded text in ASCII, the most frequent letters first: where the database's character type is C,
-- pg_trgm knows no other letters. Different words may become equal; matches are compared again.
create function private.ascii_letters(folded text) returns text
language sql immutable parallel safe
as $$
  select translate(folded, ' اليمنوتربهعدسفكقحجشصطخغزثضظذپچژگ', ' alymnwtrbhgdsfkqpjoeuxvzciizbjzk')
$$;

-- The same of the folded text. What people mostly write is mapped in one go, in half of the time.
create function private.index_letters(value text) returns text
language plpgsql immutable parallel safe
as $$
begin
  if value !~ '[^\n -~،؛؟ء-غـ-ْ٠-٩]' then
    return translate(
      lower(value),
      ' اليمنوتربهعدسفكقحجشصطخغزثضظذأةىإئؤآ٠١٢٣٤٥٦٧٨٩ء؛ـًٌٍَُِّْ',
      ' alymnwtrbhgdsfkqpjoeuxvzciizahyaywa0123456789'
    );
  end if;
  return private.ascii_letters(private.fold(value));
end
$$;

create function private.search_key(name text, email text, phone text, message text, note text)
returns text
language sql immutable parallel safe
as $$
  select private.index_letters(
    name || e'\n' || email || e'\n' || coalesce(phone, '') || e'\n' || message || e'\n' || coalesce(note, '')
  )
$$;

-- New entries wait in a list of 4 MB at most, which every search reads.
create index contact_messages_words on public.contact_messages using gin (
  private.search_key(name, email, phone, message, note) extensions.gin_trgm_ops
) with (fastupdate = on, gin_pending_list_limit = 4096);
-- No plan is chosen by them.
alter index public.contact_messages_words alter column 1 set statistics 0;

revoke execute on all functions in schema private from public;
-- The index is written with the rights of the sender.
grant execute on function
  private.fold, private.search_text, private.ascii_letters, private.index_letters, private.search_key
  to anon, authenticated, service_role;
