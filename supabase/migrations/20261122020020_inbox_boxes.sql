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
          and (box in ('any', private.state_of(h))
            or box = 'all' and private.state_of(h) in ('waiting', 'answered'))
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
-- Row level security decides about the rows.
grant execute on function private.box_rows to authenticated, service_role;
