-- The boxes that hold the messages, each with some of their states, and how much each box holds.

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
language plpgsql stable set search_path = ''
as $$
begin
  if private.states_in(box) is null then
    raise sqlstate 'PT400' using message = 'Unknown box';
  end if;
  return query
  select of_state.*
  from unnest(private.states_in(box)) state
  cross join lateral (
    select m.* from public.contact_messages m
    where private.state_of(m) = state and (m.created_at, m.id) < (before_moment, before_id)
    order by m.created_at desc, m.id desc limit most
  ) of_state
  order by of_state.created_at desc, of_state.id desc limit most;
end
$$;

-- The number of messages in each state is the sum of its rows. There are as many rows as there were
-- writers at one moment, so that writers do not wait for each other.
create table private.message_counts (
  id integer generated always as identity primary key,
  state text not null,
  messages bigint not null
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
  if tg_op <> 'DELETE' then
    perform private.count_message(private.state_of(a), count(*)::integer) from added a
    group by private.state_of(a);
  end if;
  if tg_op <> 'INSERT' then
    perform private.count_message(private.state_of(r), -count(*)::integer) from removed r
    group by private.state_of(r);
  end if;
  return null;
end
$$;

create trigger count_inserted after insert on public.contact_messages
  referencing new table as added for each statement execute function private.count_messages();
create trigger count_updated after update on public.contact_messages
  referencing old table as removed new table as added
  for each statement execute function private.count_messages();
create trigger count_deleted after delete on public.contact_messages
  referencing old table as removed for each statement execute function private.count_messages();

grant execute on function private.states_in, private.box_rows to authenticated, service_role;
