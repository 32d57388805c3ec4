-- What the board reads: the state, pages of a box, of a search and of an export. A read is one statement,
-- so that its parts are consistent.

-- The moment up to which an account has seen the board.
create table private.inbox_visits (
  user_id uuid primary key references auth.users (id) on delete cascade,
  seen_at timestamptz not null
);

-- Who owns the inbox, as private.inbox_owner says it, and how many messages each box holds. `fresh` is how
-- many arrived on the board after `seen_at`, up to 100.
create function public.inbox_state(
  out owner text, out may_read boolean, out messages bigint, out waiting bigint,
  out archived bigint, out spam bigint, out trash bigint, out seen_at timestamptz, out fresh integer
)
language sql stable security definer set search_path = ''
as $$
  select
    private.inbox_owner(), caller.may_read, counts.waiting + counts.answered, counts.waiting,
    counts.archived, counts.spam, counts.trash, visit.seen_at,
    (select least(count(*), 100)::integer from unnest(private.states_in('all')) of_box (state), lateral (
      select from public.contact_messages m
      where m.state = of_box.state and m.created_at > visit.seen_at
      order by m.created_at desc, m.id desc limit 100
    ) since)
  from private.may_read_inbox() caller (may_read)
  cross join lateral (
    select
      (select count(*) from public.contact_messages m where caller.may_read and m.state = 'waiting') as waiting,
      (select count(*) from public.contact_messages m where caller.may_read and m.state = 'answered') as answered,
      (select count(*) from public.contact_messages m where caller.may_read and m.state = 'archived') as archived,
      (select count(*) from public.contact_messages m where caller.may_read and m.state = 'spam') as spam,
      (select count(*) from public.contact_messages m where caller.may_read and m.state = 'trash') as trash
  ) counts
  left join private.inbox_visits visit on visit.user_id = auth.uid() and caller.may_read
$$;

-- Records the moment up to which the caller has seen the board. Returns the latest such moment, or null if
-- the caller may not read.
create function public.record_visit(until timestamptz) returns timestamptz
language sql security definer set search_path = ''
as $$
  insert into private.inbox_visits as known (user_id, seen_at)
  select id, least(until, now()) from auth.users
  where id = auth.uid() and private.may_read_inbox()
  on conflict (user_id) do update set seen_at = greatest(known.seen_at, excluded.seen_at)
  returning seen_at
$$;

-- Where the line «now» goes among the `waiting` messages. `late` is how many came before `late_before`, but
-- not before `old_before`. `old` is how many came before `old_before`. `below` is the newest late or old
-- message, and `above` is the oldest one that is in time. The rows since `old_before` are counted, so many
-- old ones cost nothing.
create function private.promise_line(
  waiting bigint, late_before timestamptz, old_before timestamptz
)
returns json
language sql stable set search_path = ''
as $$
  select json_build_object(
    'late', count(*) filter (where since.created_at < late_before),
    'old', waiting - count(*),
    'below', (
      select json_build_object('id', m.id, 'created_at', m.created_at)
      from public.contact_messages m
      where m.state = 'waiting' and m.created_at < late_before
      order by m.created_at desc, m.id desc limit 1
    ),
    'above', (
      select json_build_object('id', m.id, 'created_at', m.created_at)
      from public.contact_messages m
      where m.state = 'waiting' and m.created_at >= late_before
      order by m.created_at, m.id limit 1
    )
  )
  from public.contact_messages since
  where since.state = 'waiting' and since.created_at >= old_before
$$;

-- A message without the column that only the search reads.
create function private.shown(message public.contact_messages) returns json
language sql immutable parallel safe
return (to_jsonb(message) - 'search_text')::json;

-- The state, and up to `most` messages of a box, or of a search in it, newest first. Row level security
-- decides about the rows. By default there is one message more than a page shows (limits.page in
-- app/models/inbox-limits.ts), which tells whether older ones follow. `opened` is the message with the id
-- `open`, in any box, or null. `line` is the result of private.promise_line for the owner, or null if its
-- moments are not given.
create function public.read_inbox(
  box text default 'all',
  query text default null,
  before_moment timestamptz default 'infinity',
  before_id uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  most integer default 51,
  open uuid default null,
  late_before timestamptz default null,
  old_before timestamptz default null,
  out owner text, out may_read boolean, out messages bigint, out waiting bigint,
  out archived bigint, out spam bigint, out trash bigint, out seen_at timestamptz, out fresh integer,
  out page json, out opened json, out line json
)
language plpgsql stable set search_path = ''
as $$
begin
  if private.states_in(box) is null then
    raise sqlstate 'PT400' using message = 'Unknown box';
  end if;
  most := least(most, 1000);
  select s.* into owner, may_read, messages, waiting, archived, spam, trash, seen_at, fresh
  from public.inbox_state() s;
  if query is null then
    page := (
      select coalesce(json_agg(private.shown(m)), '[]')
      from private.box_rows(box, before_moment, before_id, most) m
    );
  else
    page := (
      select coalesce(json_agg(private.shown(m)), '[]')
      from private.search_rows(query, box, before_moment, before_id, most) m
    );
  end if;
  if open is not null then
    opened := (select private.shown(m) from public.contact_messages m where m.id = open);
  end if;
  if owner = 'me' and old_before <= late_before then
    line := private.promise_line(waiting, late_before, old_before);
  end if;
end
$$;

grant execute on function private.promise_line, private.shown to authenticated;
grant execute on function public.inbox_state, public.record_visit, public.read_inbox
  to authenticated;
