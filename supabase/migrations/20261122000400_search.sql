-- Search in messages, folded as readers of Arabic read them.

create extension if not exists pg_trgm with schema extensions;

-- A text as it is compared. app/lib/fold.ts folds in the same way, to mark what was found.
create function private.fold(value text) returns text
language plpgsql immutable parallel safe
as $$
declare
  folded text := '';
begin
  -- Hamza has one seat where spellings differ: مسئول, شئون and رءوس as مسؤول, هيأة as هيئة. Elsewhere a seat
  -- is what people type without hamza, as in عايشة.
  value := regexp_replace(value, '[ئء](?=[\u0640\u064B-\u0652]*و)', 'ؤ', 'g');
  value := regexp_replace(value, '(ي[\u0640\u064B-\u0652]*)أ(?=[\u0640\u064B-\u0652]*ة)', '\1ئ', 'g');
  -- NFKD separates hamza, madda and accents from their letters, so that they can be removed. It takes a
  -- hundred characters at a time, because sorting the marks of one letter takes quadratic time (5,000:
  -- 0.7 s).
  for start in 1 .. char_length(value) by 100 loop
    folded := folded || normalize(substr(value, start, 100), NFKD);
  end loop;
  -- Also vowel signs, tatweel, the separator of thousands and invisible marks.
  folded := regexp_replace(
    lower(folded),
    '[\u00AD\u0300-\u036F\u0610-\u061C\u0621\u0640\u064B-\u065F\u066C\u0670\u0674\u06D6-\u06DC\u06DF-\u06E8'
      '\u06EA-\u06ED\u08D3-\u08FF\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFE00-\uFE0F\uFEFF]+',
    '', 'g'
  );
  folded := replace(folded, 'ß', 'ss');
  -- Apart: the cost of translate is the product of both lengths.
  folded := translate(folded, 'ىةٱ', 'يها');
  if folded ~ '[\u0660-\u066B\u0679-\u06F9]' then
    -- The letters of Persian, Urdu and Kurdish keyboards, digits, and their signs.
    folded := translate(
      folded,
      'یےێېۍەہھۃکڪگپچژڤڕڑڵۆۇۋٹڈں٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹٫٪',
      'يييييههههكككبجزفررلوووتدن01234567890123456789.%'
    );
  end if;
  return folded;
end
$$;

-- The folded text of a message. No word has a line break, so none matches across two parts.
create function private.search_text(m public.contact_messages) returns text
language sql immutable parallel safe
return private.fold(
  m.name || e'\n' || m.email || e'\n' || coalesce(m.phone, '') || e'\n' || m.message || e'\n'
    || coalesce(m.note, '')
);

-- Folded text in ASCII, because pg_trgm knows no other letters where the database's character type is
-- C. Different words may become equal, so that matches are compared again. The most frequent letters
-- come first: translate looks for each character from the start.
create function private.ascii_letters(folded text) returns text
language sql immutable parallel safe
return translate(folded, ' اليمنوتربهعدسفكقحجشصطخغزثضظذپچژگ', ' alymnwtrbhgdsfkqpjoeuxvzciizbjzk');

-- New entries wait in a list of 4 MB at most, which every search reads.
create index contact_messages_words on public.contact_messages using gin (
  private.ascii_letters(private.search_text(contact_messages)) extensions.gin_trgm_ops
) with (fastupdate = on, gin_pending_list_limit = 4096);
-- No plan depends on them.
alter index public.contact_messages_words alter column 1 set statistics 0;

-- A pattern for each word of a search. Refuses a search that is too long or has no word.
create function private.search_patterns(query text) returns text[]
language plpgsql immutable
as $$
declare
  words constant text[] := regexp_split_to_array(btrim(left(query, 101)), '\s+');
  patterns constant text[] := array(
    select '%' || regexp_replace(folded, '([\\%_])', '\\\1', 'g') || '%'
    from unnest(words) word, private.fold(word) folded where folded <> ''
  );
begin
  if (char_length(query) <= 100 and char_length(btrim(query)) >= 2) is not true
    or cardinality(words) > 5 or cardinality(patterns) = 0
  then
    raise sqlstate 'PT400' using message = 'A search has 2 to 100 characters and 1 to 5 words';
  end if;
  return patterns;
end
$$;

-- All messages that may match, if the index shows that they are few; else null. The index cannot
-- look for a word without three letters or digits in a row.
create function private.rare_matches(patterns text[]) returns public.contact_messages[]
language plpgsql stable set search_path = '' set enable_seqscan = off set enable_indexscan = off
as $$
declare
  most constant integer := 900;
  keys text[] := array(
    select key from unnest(patterns) pattern, private.ascii_letters(pattern) key
    where key ~ '[a-z0-9]{3}'
  );
  found_rows public.contact_messages[];
begin
  if cardinality(keys) = 0 then
    return null;
  end if;
  -- One condition for each word: the index does not support `like all`.
  execute (
    select format(
      'select array(select m from public.contact_messages m where %s limit %s)',
      string_agg(
        format('private.ascii_letters(private.search_text(m)) like $1[%s]', place), ' and '
      ),
      most + 1
    )
    from generate_subscripts(keys, 1) place
  ) into found_rows using keys;
  return case when cardinality(found_rows) <= most then found_rows end;
end
$$;

-- Up to `most` matches among the next `scanned` messages of a box, and the last message looked at;
-- null if the box ends before. If the messages are longer than 100 Arabic letters on average, fewer
-- are looked at.
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
      where private.search_text(m) like all (patterns)
      order by place limit most
    ),
    (
      select m from looked
      where place = (select count(*) from looked)
        and (place = scanned or place < (select count(*) from next))
    )
$$;

-- Up to `most` messages of a box that have all words, newest first, and the place where the search
-- continues; null at the end. A frequent word is found in the newest messages and a rare one by the
-- index. For other words 1,000 messages are looked at. It asks the policy's function itself, because
-- row level security would keep it from its index.
create function private.search_rows(
  query text, box text, before_moment timestamptz, before_id uuid, most integer,
  out matches public.contact_messages[], out next_moment timestamptz, out next_id uuid
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  patterns constant text[] := private.search_patterns(query);
  scan record;
  rare public.contact_messages[];
  last_one public.contact_messages;
begin
  matches := '{}';
  if not private.may_read_inbox() then
    return;
  end if;
  select * into scan from private.scan_box(patterns, box, before_moment, before_id, 400, most);
  matches := scan.matches;
  last_one := scan.last_one;
  if last_one.id is not null and cardinality(matches) < most then
    rare := private.rare_matches(patterns);
    if rare is not null then
      last_one := null;
      matches := array(
        select r from unnest(rare) r
        where (r.created_at, r.id) < (before_moment, before_id)
          and private.search_text(r) like all (patterns)
          and private.state_of(r) = any (private.states_in(box))
        order by r.created_at desc, r.id desc limit most
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

-- The index is written with the rights of the sender.
grant execute on function private.fold, private.search_text, private.ascii_letters
  to anon, authenticated, service_role;
grant execute on function private.search_rows to authenticated, service_role;
