-- What the board reads: how much there is, pages of a box and of a search, pages of an export. Each
-- is one statement, so that what it says is of one moment.

-- Up to where an account has seen the board.
create table private.inbox_visits (
  user_id uuid primary key references auth.users (id) on delete cascade,
  seen_at timestamptz not null
);

drop function public.read_inbox(boolean, timestamptz, uuid);
drop function public.inbox_state();

-- Whose the inbox is for the caller, and how much each box holds. `seen_at` is what the caller's
-- account noted last; `fresh` counts what the board has since, up to 100.
create function public.inbox_state(
  out owner text, out may_read boolean, out messages bigint, out waiting bigint,
  out archived bigint, out spam bigint, out trash bigint, out seen_at timestamptz, out fresh integer
)
language sql stable security definer set search_path = ''
as $$
  select
    private.inbox_owner(), caller.may_read,
    coalesce(counts.waiting + counts.answered, 0), coalesce(counts.waiting, 0),
    coalesce(counts.archived, 0), coalesce(counts.spam, 0), coalesce(counts.trash, 0),
    visit.seen_at,
    (select count(*)::integer from (
      select from public.contact_messages
      where spam_signs is null and archived_at is null and deleted_at is null
        and created_at > visit.seen_at
      limit 100
    ) since)
  from (
    select private.may_read_inbox() and private.second_factor_is_met() as may_read
  ) caller
  cross join lateral (
    select
      coalesce(sum(c.messages) filter (where c.state = 'waiting'), 0) as waiting,
      coalesce(sum(c.messages) filter (where c.state = 'answered'), 0) as answered,
      coalesce(sum(c.messages) filter (where c.state = 'archived'), 0) as archived,
      coalesce(sum(c.messages) filter (where c.state = 'spam'), 0) as spam,
      coalesce(sum(c.messages) filter (where c.state = 'trash'), 0) as trash
    from private.message_counts c where caller.may_read
  ) counts
  left join private.inbox_visits visit on visit.user_id = auth.uid() and caller.may_read
$$;

-- Notes up to where the caller has seen the board, and returns it; null if the caller may not read.
create function public.note_visit(until timestamptz) returns timestamptz
language sql security definer set search_path = ''
as $$
  insert into private.inbox_visits as known (user_id, seen_at)
  select id, least(until, now()) from auth.users
  where id = auth.uid() and private.may_read_inbox() and private.second_factor_is_met()
  on conflict (user_id) do update set seen_at = greatest(known.seen_at, excluded.seen_at)
  returning seen_at
$$;

-- The state above and a page of a box, newest first. Row level security decides about the rows. A
-- page has one message more than is shown (limits.page in app/models/inbox-limits.ts), which says
-- whether older ones follow.
create function public.read_inbox(
  box text default 'all',
  before_moment timestamptz default 'infinity',
  before_id uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  out owner text, out may_read boolean, out messages bigint, out waiting bigint,
  out archived bigint, out spam bigint, out trash bigint, out seen_at timestamptz, out fresh integer,
  out page json
)
language sql stable set search_path = ''
as $$
  select s.*, array_to_json(array(
    select m from private.box_rows(box, before_moment, before_id, 51) m
  ))
  from public.inbox_state() s
$$;

-- The same of a search, which row level security would keep from its index, so that the two
-- policies are asked here. With less than 51 messages, `next` is where the search stopped; null if
-- it has seen the whole box.
create function public.search_inbox(
  query text,
  box text default 'any',
  before_moment timestamptz default 'infinity',
  before_id uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  out owner text, out may_read boolean, out messages bigint, out waiting bigint,
  out archived bigint, out spam bigint, out trash bigint, out seen_at timestamptz, out fresh integer,
  out page json, out next_moment timestamptz, out next_id uuid
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  found_rows public.contact_messages[] := '{}';
begin
  select s.owner, s.may_read, s.messages, s.waiting, s.archived, s.spam, s.trash, s.seen_at, s.fresh
  into owner, may_read, messages, waiting, archived, spam, trash, seen_at, fresh
  from public.inbox_state() s;
  if may_read then
    select r.matches, r.next_moment, r.next_id into found_rows, next_moment, next_id
    from private.search_rows(query, box, before_moment, before_id, 51) r;
  end if;
  page := array_to_json(found_rows);
end
$$;

-- Up to 1,000 messages of a box, or of a search in it, and where the next page begins; null after
-- the last one. Nothing for those who may not read.
create function public.export_inbox(
  box text default 'all',
  query text default null,
  before_moment timestamptz default 'infinity',
  before_id uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  out page json, out next_moment timestamptz, out next_id uuid
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  found_rows public.contact_messages[] := '{}';
begin
  if private.may_read_inbox() and private.second_factor_is_met() then
    if query is not null then
      select * into found_rows, next_moment, next_id
      from private.search_rows(query, box, before_moment, before_id, 1000);
    else
      found_rows := array(select m from private.box_rows(box, before_moment, before_id, 1000) m);
      next_moment := found_rows[1000].created_at;
      next_id := found_rows[1000].id;
    end if;
  end if;
  page := array_to_json(found_rows);
end
$$;

comment on function public.inbox_state is 'Nullable: seen_at';
comment on function public.note_visit is 'Nullable: result';
comment on function public.read_inbox is 'Nullable: seen_at';
comment on function public.search_inbox is 'Nullable: seen_at, next_moment, next_id';
comment on function public.export_inbox is 'Nullable: next_moment, next_id';

revoke execute on function
  public.inbox_state, public.note_visit, public.read_inbox, public.search_inbox, public.export_inbox
  from public, anon, authenticated;
grant execute on function
  public.inbox_state, public.note_visit, public.read_inbox, public.search_inbox, public.export_inbox
  to authenticated;
