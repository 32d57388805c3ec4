-- What the board reads: how much there is, pages of a box and of a search, pages of an export. Each
-- is one statement, so that what it says is of one moment.

-- Up to where an account has seen the board.
create table private.inbox_visits (
  user_id uuid primary key references auth.users (id) on delete cascade,
  seen_at timestamptz not null
);

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
create function public.record_visit(until timestamptz) returns timestamptz
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

-- What a press of a button changed last, for its undo: the database keeps it, because a page's
-- address holds no note and not the ids of fifty messages.

create table private.changes (
  message_id uuid not null references public.contact_messages (id) on delete cascade,
  -- A change of its note, or else of its place in the boxes.
  of_note boolean not null,
  -- The same for all messages that one press changed.
  id uuid not null,
  former_note text,
  made_at timestamptz not null default now(),
  primary key (message_id, of_note)
);
create index changes_id on private.changes (id);
create index changes_made_at on private.changes (made_at);
alter table private.changes enable row level security;
grant select, insert, update, delete on private.changes to authenticated, service_role;

create policy "changes are the owner's, with the second factor if there is one" on private.changes
  to authenticated
  using ((select private.owns_inbox()) and (select private.second_factor_is_met()))
  with check ((select private.owns_inbox()) and (select private.second_factor_is_met()));

-- Forgets up to 100 of yesterday's: no notice is that old (app/session/done-token.server.ts). Says if
-- there may be more.
create function private.forget_changes() returns boolean
language sql set search_path = ''
as $$
  with forgotten as (
    delete from private.changes where (message_id, of_note) in (
      select message_id, of_note from private.changes where made_at < now() - interval '1 day'
      limit 100 for update skip locked
    )
    returning true
  )
  select count(*) = 100 from forgotten
$$;

-- Anybody may ask for what is due, as in public.purge_trash.
create function public.sweep_changes() returns boolean
language sql security definer set search_path = ''
as 'select private.forget_changes()';

-- Changes up to 50 messages, if all are in the box; null is wherever they are. Those that are in
-- another state stay as they are, and without any change `change` is null.
create function public.sort_messages(
  action text, ids uuid[], box text default 'any', out changed integer, out change uuid
)
language plpgsql set search_path = ''
as $$
declare
  new_id uuid := gen_random_uuid();
  here uuid[];
begin
  if cardinality(ids) > 50 or (action in (
    'answer', 'unanswer', 'archive', 'unarchive', 'spam', 'unspam', 'trash', 'restore'
  )) is not true then
    raise sqlstate 'PT400' using message = 'Unknown action, or more than 50 messages';
  end if;
  -- In one order, so that two callers do not wait for each other.
  here := array(
    select m.id from public.contact_messages m
    where m.id = any (ids) and (box is null or private.is_in_box(m, box))
    order by m.id for update
  );
  -- Row level security hides what is not the caller's to change.
  if box is not null and not (ids <@ here) then
    raise sqlstate 'PT409' using message = 'A message is not in this box';
  end if;
  with sorted as (
    update public.contact_messages m set
      answered_at = case action when 'answer' then now() when 'unanswer' then null else m.answered_at end,
      archived_at = case action when 'archive' then now() when 'unarchive' then null else m.archived_at end,
      spam_signs = case action
        when 'spam' then coalesce(m.accepted_signs, array['owner']) when 'unspam' then null else m.spam_signs
      end,
      accepted_signs = case action
        when 'spam' then null when 'unspam' then m.spam_signs else m.accepted_signs
      end,
      deleted_at = case action when 'trash' then now() when 'restore' then null else m.deleted_at end
    where m.id = any (here) and (m.deleted_at is not null) = (action = 'restore')
      and case action
        when 'answer' then m.spam_signs is null and m.answered_at is null
        when 'unanswer' then m.spam_signs is null and m.answered_at is not null
        when 'archive' then m.spam_signs is null and m.archived_at is null
        when 'unarchive' then m.spam_signs is null and m.archived_at is not null
        when 'spam' then m.spam_signs is null
        when 'unspam' then m.spam_signs is not null
        else true
      end
    returning m.id
  )
  insert into private.changes (message_id, of_note, id) select s.id, false, new_id from sorted s
  on conflict (message_id, of_note) do update set id = excluded.id, made_at = excluded.made_at;
  get diagnostics changed = row_count;
  if changed > 0 then
    change := new_id;
    perform private.forget_changes();
  end if;
end
$$;

-- Undoes a change by the opposite action, where nothing has moved the message since.
create function public.undo_sort(undone uuid, action text, out changed integer, out change uuid)
language plpgsql set search_path = ''
as $$
begin
  perform from public.contact_messages m
  where m.id in (select c.message_id from private.changes c where c.id = undone and not c.of_note)
  order by m.id for update;
  -- What another caller changed meanwhile is no longer among them.
  select s.changed, s.change into changed, change from public.sort_messages(action, array(
    select c.message_id from private.changes c where c.id = undone and not c.of_note
  ), null) s;
end
$$;

-- Whoever writes a note, an undo of what was written before does nothing any more.
create function private.keep_note() returns trigger
language plpgsql set search_path = ''
as $$
begin
  insert into private.changes (message_id, of_note, id, former_note)
  values (new.id, true, gen_random_uuid(), old.note)
  on conflict (message_id, of_note) do update
  set id = excluded.id, former_note = excluded.former_note, made_at = excluded.made_at;
  perform private.forget_changes();
  return null;
end
$$;

create trigger keep_note after update of note on public.contact_messages
  for each row when (old.note is distinct from new.note) execute function private.keep_note();

-- Saves a note, null for none, if the message is in the box and the note has not changed since the
-- caller saw it (`seen`: its MD5, empty for none). `stored` is the note afterwards, and `change`
-- what this call wrote, null if it wrote nothing.
create function public.save_note(
  message uuid, seen text, note text default null, box text default 'any',
  out is_here boolean, out stored text, out change uuid
)
language plpgsql set search_path = ''
as $$
begin
  select m.note into stored from public.contact_messages m
  where m.id = save_note.message and private.is_in_box(m, box) for update;
  is_here := found;
  if is_here and coalesce(md5(stored), '') = seen and stored is distinct from note then
    update public.contact_messages m set note = save_note.note where m.id = save_note.message;
    stored := note;
    select c.id into change from private.changes c where c.message_id = message and c.of_note;
  end if;
end
$$;

-- Writes the note that was there before, if nobody has written another since; null if so.
create function public.undo_note(undone uuid) returns uuid
language plpgsql set search_path = ''
as $$
declare
  noted uuid;
  former text;
begin
  select m.id into noted from public.contact_messages m
  where m.id = (select c.message_id from private.changes c where c.id = undone and c.of_note)
  for update;
  select c.former_note into former from private.changes c where c.message_id = noted and c.id = undone;
  if not found then
    return null;
  end if;
  update public.contact_messages m set note = former where m.id = noted;
  return (select c.id from private.changes c where c.message_id = noted and c.of_note);
end
$$;

-- Deletes for good up to 1,000 of the messages that were in the box at a moment; returns how many.
-- 0 for everybody but the owner. Called until it returns less than 1,000.
create function public.empty_box(box text, until timestamptz) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  deleted integer;
begin
  if (box in ('spam', 'trash')) is not true then
    raise sqlstate 'PT400' using message = 'This box cannot be emptied';
  end if;
  if not private.owns_inbox() or not private.second_factor_is_met() then
    return 0;
  end if;
  if box = 'spam' then
    delete from public.contact_messages where id in (
      select id from public.contact_messages
      where spam_signs is not null and deleted_at is null and created_at <= until
      limit 1000 for update skip locked
    );
  else
    delete from public.contact_messages where id in (
      select id from public.contact_messages where deleted_at <= until
      limit 1000 for update skip locked
    );
  end if;
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

-- Deletes up to 1,000 messages that are in the trash for more than 30 days; true if there may be
-- more. Anybody may ask for what is due: a site on hosted Supabase has no key of its own.
create function public.purge_trash() returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  deleted integer;
begin
  delete from public.contact_messages where id in (
    select id from public.contact_messages where deleted_at < now() - interval '30 days'
    limit 1000 for update skip locked
  );
  get diagnostics deleted = row_count;
  return deleted = 1000;
end
$$;
comment on function public.inbox_state is 'Nullable: seen_at';
comment on function public.record_visit is 'Nullable: result';
comment on function public.read_inbox is 'Nullable: seen_at';
comment on function public.search_inbox is 'Nullable: seen_at, next_moment, next_id';
comment on function public.export_inbox is 'Nullable: next_moment, next_id';
comment on function public.sort_messages is 'Nullable: change';
comment on function public.undo_sort is 'Nullable: change';
comment on function public.save_note is 'Nullable: stored, change';
comment on function public.undo_note is 'Nullable: result';
revoke execute on all functions in schema private from public;
grant execute on function private.forget_changes, private.is_in_box to authenticated, service_role;

revoke execute on function
  public.inbox_state, public.record_visit, public.read_inbox, public.search_inbox, public.export_inbox,
  public.sort_messages, public.undo_sort, public.save_note, public.undo_note, public.empty_box,
  public.purge_trash
  from public, anon, authenticated;
revoke execute on function public.sweep_changes from public;

grant execute on function
  public.inbox_state, public.record_visit, public.read_inbox, public.search_inbox, public.export_inbox,
  public.sort_messages, public.undo_sort, public.save_note, public.undo_note, public.empty_box
  to authenticated;

grant execute on function public.sort_messages, public.undo_sort, public.save_note, public.undo_note
  to service_role;
grant execute on function public.purge_trash to anon, authenticated;
grant execute on function public.sweep_changes to anon, authenticated, service_role;
