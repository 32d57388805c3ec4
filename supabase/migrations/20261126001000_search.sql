-- Search in messages. Texts are folded, so that letters that readers of Arabic take for the same are the
-- same.

-- A text in the form that is compared. app/lib/fold.ts folds in the same way, to mark the words that were
-- found.
create function private.fold(value text) returns text
language plpgsql immutable parallel safe
as $$
declare
  folded text := '';
begin
  -- Hamza gets one seat where spellings differ: مسئول, شئون and رءوس become مسؤول, and هيأة becomes هيئة.
  -- Elsewhere only the seat stays, as people type it without hamza: عايشة.
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
  -- This is apart, because translate takes a time in proportion to the product of both lengths.
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

-- No word has a line break, so that no word matches across two parts.
alter table public.contact_messages add column search_text text not null generated always as (
  private.fold(
    name || e'\n' || email || e'\n' || coalesce(phone, '') || e'\n' || message || e'\n' || coalesce(note, '')
  )
) stored;
-- A search reads every row. Rows up to a page's size are not compressed, which is faster.
alter table public.contact_messages set (toast_tuple_target = 8160);
create index contact_messages_newest on public.contact_messages (created_at desc, id desc);

-- The folded words of a search: five, of which the last may be empty. Refuses a search that is too long
-- or has no word.
create function private.search_words(query text) returns text[]
language plpgsql immutable set search_path = ''
as $$
declare
  words constant text[] := regexp_split_to_array(btrim(left(query, 101)), '\s+');
  folded constant text[] := array(
    select folded from unnest(words) word, private.fold(word) folded where folded <> ''
  );
begin
  if (char_length(query) <= 100 and char_length(btrim(query)) >= 2) is not true
    or cardinality(words) > 5 or cardinality(folded) = 0
  then
    raise sqlstate 'PT400' using message = 'A search has 2 to 100 characters and 1 to 5 words';
  end if;
  return folded || array_fill(''::text, array[5 - cardinality(folded)]);
end
$$;

-- Up to `most` messages of a box below a place that have all words, newest first. It reads every message
-- until it has found so many; strpos() takes a third of the time of `like`.
create function private.search_rows(
  query text, box text, before_moment timestamptz, before_id uuid, most integer
)
returns setof public.contact_messages
language plpgsql stable set search_path = ''
as $$
declare
  words constant text[] := private.search_words(query);
  states constant text[] := private.states_in(box);
begin
  return query
  select m.* from public.contact_messages m
  where (m.created_at, m.id) < (before_moment, before_id) and m.state = any (states)
    and strpos(m.search_text, words[1]) > 0 and strpos(m.search_text, words[2]) > 0
    and strpos(m.search_text, words[3]) > 0 and strpos(m.search_text, words[4]) > 0
    and strpos(m.search_text, words[5]) > 0
  order by m.created_at desc, m.id desc limit most;
end
$$;

-- The column is filled with the rights of the sender.
grant execute on function private.fold to authenticated;
grant execute on function private.search_words, private.search_rows to authenticated;
