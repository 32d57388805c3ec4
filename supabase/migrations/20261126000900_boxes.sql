-- The boxes that hold the messages, each with some of their states.

-- The states of the messages in a box: `all` is what the board shows, `any` is all there is. Null if
-- there is no such box.
create function private.states_in(box text) returns text[]
language sql immutable parallel safe
return case
  when box = 'any' then array['waiting', 'answered', 'archived', 'spam', 'trash']
  when box = 'all' then array['waiting', 'answered']
  when box in ('waiting', 'archived', 'spam', 'trash') then array[box]
end;

-- Up to `most` messages of a box below a place, newest first. Row level security decides about the
-- rows for callers to whom it applies.
create function private.box_rows(box text, before_moment timestamptz, before_id uuid, most integer)
returns setof public.contact_messages
language sql stable set search_path = ''
as $$
  select of_state.*
  from unnest(private.states_in(box)) of_box (state)
  cross join lateral (
    select m.* from public.contact_messages m
    where m.state = of_box.state and (m.created_at, m.id) < (before_moment, before_id)
    order by m.created_at desc, m.id desc limit most
  ) of_state
  order by of_state.created_at desc, of_state.id desc limit most
$$;

grant execute on function private.states_in, private.box_rows to authenticated;
