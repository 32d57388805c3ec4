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

-- What is searched is put together in one place. The index keeps its entries: their texts are the
-- same.

-- No word has a line break, so none reaches over two of the parts.
create function private.message_parts(name text, email text, phone text, message text, note text)
returns text
language sql immutable parallel safe
as $$
  select name || e'\n' || email || e'\n' || coalesce(phone, '') || e'\n' || message || e'\n' || coalesce(note, '')
$$;

create function private.search_text(name text, email text, phone text, message text, note text)
returns text
language sql immutable parallel safe
as $$
  select private.fold(private.message_parts(name, email, phone, message, note))
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
  select private.index_letters(private.message_parts(name, email, phone, message, note))
$$;

-- New entries wait in a list of 4 MB at most, which every search reads.
create index contact_messages_words on public.contact_messages using gin (
  private.search_key(name, email, phone, message, note) extensions.gin_trgm_ops
) with (fastupdate = on, gin_pending_list_limit = 4096);

-- No plan is chosen by them.
alter index public.contact_messages_words alter column 1 set statistics 0;

-- Up to `most` messages, in no order, that the index finds by all patterns.
create function private.indexed_rows(patterns text[], most integer)
returns setof public.contact_messages
language plpgsql stable set search_path = '' set enable_seqscan = off set enable_indexscan = off
as $$
begin
  return query execute (
    select format('select * from public.contact_messages where %s limit %s', string_agg(format(
      'private.search_key(name, email, phone, message, note) like $1[%s]', place
    ), ' and '), most)
    from generate_subscripts(patterns, 1) place
  ) using patterns;
end
$$;

-- Up to `most` of the matches among the next messages of a box, and the last one looked at; null if
-- the box has no more. Few are looked at if they are longer than 100 Arabic letters on average.
create function private.scan_box(
  patterns text[], box text, before_moment timestamptz, before_id uuid, scanned integer, most integer,
  out matches public.contact_messages[], out last_one public.contact_messages
)
language sql stable set search_path = ''
as $$
  with next as materialized (
    select m, row_number() over place as place,
      sum(octet_length((m).message) + coalesce(octet_length((m).note), 0)) over place as bytes
    from private.box_rows(box, before_moment, before_id, scanned) m
    window place as (order by (m).created_at desc, (m).id desc)
  ), looked as materialized (
    select * from next where bytes <= scanned * 200 or place = 1
  )
  select
    array(
      select m from looked
      where private.search_text((m).name, (m).email, (m).phone, (m).message, (m).note)
        like all (patterns)
      order by place limit most
    ),
    (
      select m from looked
      where place = (select count(*) from looked)
        and (place = scanned or place < (select count(*) from next))
    )
$$;

-- Up to `most` messages of a box that have all words, newest first, and the place where the search
-- goes on; null at the end. A frequent word is soon found in the newest messages, a rare one in
-- the index. Between the two, and for words without a trigram, 1,000 messages are looked at.
create function private.search_rows(
  query text, box text, before_moment timestamptz, before_id uuid, most integer,
  out matches public.contact_messages[], out next_moment timestamptz, out next_id uuid
)
language plpgsql stable set search_path = ''
as $$
declare
  words text[];
  patterns text[];
  indexed text[];
  hits public.contact_messages[];
  scan record;
  last_one public.contact_messages;
begin
  if (char_length(query) <= 100 and char_length(btrim(query)) >= 2) is not true then
    raise sqlstate 'PT400' using message = 'A search has 2 to 100 characters', detail = 'length';
  end if;
  words := regexp_split_to_array(btrim(query), '\s+');
  if cardinality(words) > 5 then
    raise sqlstate 'PT400' using message = 'A search has five words at most', detail = 'words';
  end if;
  patterns := array(
    select '%' || regexp_replace(folded, '([\\%_])', '\\\1', 'g') || '%'
    from unnest(words) word, private.fold(word) folded where folded <> ''
  );
  if cardinality(patterns) = 0 then
    raise sqlstate 'PT400' using message = 'No word is left', detail = 'length';
  end if;
  select * into scan from private.scan_box(patterns, box, before_moment, before_id, 400, most);
  matches := scan.matches;
  last_one := scan.last_one;
  if last_one.id is not null and cardinality(matches) < most then
    indexed := array(
      select key from unnest(patterns) pattern, private.ascii_letters(pattern) key
      where key ~ '[a-z0-9]{3}'
    );
    if cardinality(indexed) > 0 then
      hits := array(select h from private.indexed_rows(indexed, 901) h);
    end if;
    if cardinality(hits) <= 900 then
      last_one := null;
      matches := array(
        select h from unnest(hits) h
        where (h.created_at, h.id) < (before_moment, before_id)
          and private.search_text(h.name, h.email, h.phone, h.message, h.note) like all (patterns)
          and private.is_in_box(h, box)
        order by h.created_at desc, h.id desc limit most
      );
    else
      select * into scan from private.scan_box(
        patterns, box, last_one.created_at, last_one.id, 600, most - cardinality(matches)
      );
      matches := matches || scan.matches;
      last_one := scan.last_one;
    end if;
  end if;
  if cardinality(matches) = most then
    last_one := matches[most];
  end if;
  next_moment := last_one.created_at;
  next_id := last_one.id;
end
$$;
revoke execute on all functions in schema private from public;

-- The index is written with the rights of the sender.
grant execute on function
  private.fold, private.search_text, private.ascii_letters, private.index_letters, private.search_key,
  private.message_parts
  to anon, authenticated, service_role;
