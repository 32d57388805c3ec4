-- A search asks the same function as a change whether a message is in the box. All else is as in
-- 20261122020020_inbox_boxes.sql.

create or replace function private.search_rows(
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
