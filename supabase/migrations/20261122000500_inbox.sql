-- What the board reads and does: states, pages of a box, of a search and of an export; actions on
-- messages, notes, and their undo. A read is one statement, so that its parts are consistent.

-- Up to which moment an account has seen the board.
create table private.inbox_visits (
  user_id uuid primary key references auth.users (id) on delete cascade,
  seen_at timestamptz not null
);
comment on table private.inbox_visits is 'Copied';

-- Who owns the inbox, seen by the caller, and how much each box holds. `fresh` counts what arrived
-- on the board after `seen_at`, up to 100.
create function public.inbox_state(
  out owner text, out may_read boolean, out messages bigint, out waiting bigint,
  out archived bigint, out spam bigint, out trash bigint, out seen_at timestamptz, out fresh integer
)
language sql stable security definer set search_path = ''
as $$
  select
    private.inbox_owner(), caller.may_read, counts.*, visit.seen_at,
    (select least(count(*), 100)::integer from unnest(private.states_in('all')) state, lateral (
      select from public.contact_messages m
      where private.state_of(m) = state and m.created_at > visit.seen_at
      order by m.created_at desc, m.id desc limit 100
    ) since)
  from private.may_read_inbox() caller (may_read)
  cross join lateral (
    select
      coalesce(sum(c.messages) filter (where c.state in ('waiting', 'answered')), 0),
      coalesce(sum(c.messages) filter (where c.state = 'waiting'), 0),
      coalesce(sum(c.messages) filter (where c.state = 'archived'), 0),
      coalesce(sum(c.messages) filter (where c.state = 'spam'), 0),
      coalesce(sum(c.messages) filter (where c.state = 'trash'), 0)
    from private.message_counts c where caller.may_read
  ) counts
  left join private.inbox_visits visit on visit.user_id = auth.uid() and caller.may_read
$$;

-- Records up to which moment the caller has seen the board, and returns the latest one; null if the
-- caller may not read.
create function public.record_visit(until timestamptz) returns timestamptz
language sql security definer set search_path = ''
as $$
  insert into private.inbox_visits as known (user_id, seen_at)
  select id, least(until, now()) from auth.users
  where id = auth.uid() and private.may_read_inbox()
  on conflict (user_id) do update set seen_at = greatest(known.seen_at, excluded.seen_at)
  returning seen_at
$$;

-- Of `waiting` messages, what is late, because it came before `late_before`; what is due today,
-- because it came before `today_before`; and the rows next to now. Either number is exact up to 1,000.
create function private.promised(
  waiting bigint, late_before timestamptz, today_before timestamptz
)
returns json
language sql stable set search_path = ''
as $$
  select json_build_object(
    'late', case when count(*) < 1000 then waiting - count(*) else (
      select count(*) from (
        select from public.contact_messages m
        where private.state_of(m) = 'waiting' and m.created_at < late_before
        limit 1000
      ) late
    ) end,
    'due_today', count(*) filter (where later.created_at < today_before),
    'late_rows', array_to_json(array(
      select m from public.contact_messages m
      where private.state_of(m) = 'waiting' and m.created_at < late_before
      order by m.created_at desc, m.id desc limit 3
    )),
    'next_rows', array_to_json(array(
      select m from public.contact_messages m
      where private.state_of(m) = 'waiting' and m.created_at >= late_before
      order by m.created_at, m.id limit 6
    ))
  )
  from (
    select m.created_at from public.contact_messages m
    where private.state_of(m) = 'waiting' and m.created_at >= late_before
    order by m.created_at limit 1000
  ) later
$$;

-- The state, and up to `most` messages of a box, or of a search in it, newest first. Row level
-- security decides about the rows. By default there is one message more than a page shows (limits.page
-- in app/models/inbox-limits.ts), which tells whether older ones follow. `next_moment` and `next_id`
-- are where the rest begins, which a search may not have looked at yet; null if there is none.
-- `opened` is the message `open`, in whatever box, null if there is none. `promised` is what waits for
-- the owner's answer, null without its moments: what came before `late_before` is late, what came
-- before `today_before` is due today.
create function public.read_inbox(
  box text default 'all',
  query text default null,
  before_moment timestamptz default 'infinity',
  before_id uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  most integer default 51,
  open uuid default null,
  late_before timestamptz default null,
  today_before timestamptz default null,
  out owner text, out may_read boolean, out messages bigint, out waiting bigint,
  out archived bigint, out spam bigint, out trash bigint, out seen_at timestamptz, out fresh integer,
  out page json, out next_moment timestamptz, out next_id uuid, out opened json, out promised json
)
language plpgsql stable set search_path = ''
as $$
declare
  found_rows public.contact_messages[];
begin
  most := least(most, 1000);
  select s.* into owner, may_read, messages, waiting, archived, spam, trash, seen_at, fresh
  from public.inbox_state() s;
  if query is null then
    found_rows := array(select m from private.box_rows(box, before_moment, before_id, most) m);
    next_moment := found_rows[most].created_at;
    next_id := found_rows[most].id;
  else
    select r.* into found_rows, next_moment, next_id
    from private.search_rows(query, box, before_moment, before_id, most) r;
  end if;
  page := array_to_json(found_rows);
  if open is not null then
    opened := (select row_to_json(m) from public.contact_messages m where m.id = open);
  end if;
  if owner = 'me' and late_before <= today_before then
    promised := private.promised(waiting, late_before, today_before);
  end if;
end
$$;

-- The last change of each message and of its note, for their undo. It is stored here, because a
-- page's address can hold neither a note nor the ids of a hundred messages.
create table private.changes (
  message_id uuid not null references public.contact_messages (id) on delete cascade,
  -- A change of its note, or else of its state.
  of_note boolean not null,
  -- The same for all messages that one action changed.
  id uuid not null,
  former_note text,
  made_at timestamptz not null default private.present(),
  primary key (message_id, of_note)
);
comment on table private.changes is 'Copied';
create index changes_id on private.changes (id);
create index changes_made_at on private.changes (made_at);

alter table private.changes enable row level security;
grant select, insert, update on private.changes to authenticated, service_role;
create policy "changes are the owner's" on private.changes to authenticated
  using ((select private.owns_inbox())) with check ((select private.owns_inbox()));

-- A batch of the daily sweep: deletes changes that are older than a day, which is longer than the board
-- offers an undo (app/routes/admin/done-token.server.ts). Returns how many.
create function public.sweep_changes() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  deleted integer;
begin
  if not private.may_sweep() then
    return 0;
  end if;
  delete from private.changes where (message_id, of_note) in (
    select message_id, of_note from private.changes where made_at < now() - interval '1 day'
    limit 1000 for update skip locked
  );
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

-- Changes up to 100 messages, if all are in the box; with null they may be anywhere. Those in another
-- state stay as they are. `change` names the change for its undo; null if nothing changed.
create function public.sort_messages(
  action text, ids uuid[], box text default 'any', out changed integer, out change uuid
)
language plpgsql set search_path = ''
as $$
declare
  rule record;
  here uuid[];
  sorted uuid[];
begin
  select * into rule
  from (values
    ('answer', 'answered_at = now()', 'deleted_at is null and spam_signs is null and answered_at is null'),
    ('unanswer', 'answered_at = null', 'deleted_at is null and spam_signs is null and answered_at is not null'),
    ('archive', 'archived_at = now()', 'deleted_at is null and spam_signs is null and archived_at is null'),
    ('unarchive', 'archived_at = null', 'deleted_at is null and spam_signs is null and archived_at is not null'),
    ('spam', 'spam_signs = coalesce(accepted_signs, array[''owner'']), accepted_signs = null',
      'deleted_at is null and spam_signs is null'),
    ('unspam', 'spam_signs = null, accepted_signs = spam_signs',
      'deleted_at is null and spam_signs is not null'),
    ('trash', 'deleted_at = private.present()', 'deleted_at is null'),
    ('restore', 'deleted_at = null', 'deleted_at is not null')
  ) known (name, assignment, condition)
  where name = action;
  if not found or cardinality(ids) > 100 then
    raise sqlstate 'PT400' using message = 'Unknown action, or more than 100 messages';
  end if;
  -- In one order, so that two callers do not wait for each other.
  here := array(
    select m.id from public.contact_messages m
    where m.id = any (ids) and (box is null or private.state_of(m) = any (private.states_in(box)))
    order by m.id for update
  );
  -- Row level security hides messages that the caller may not change.
  if box is not null and not (ids <@ here) then
    raise sqlstate 'PT409' using message = 'A message is not in this box';
  end if;
  execute format(
    'with sorted as (
      update public.contact_messages set %s where id = any ($1) and %s returning id
    ) select array(select id from sorted)', rule.assignment, rule.condition
  ) into sorted using here;
  changed := cardinality(sorted);
  if changed > 0 then
    change := gen_random_uuid();
    insert into private.changes (message_id, of_note, id) select s, false, change from unnest(sorted) s
    on conflict (message_id, of_note) do update set id = excluded.id, made_at = excluded.made_at;
  end if;
end
$$;

-- Undoes a change by the opposite action, for the messages whose last change it is.
create function public.undo_sort(undone uuid, action text, out changed integer, out change uuid)
language plpgsql set search_path = ''
as $$
begin
  perform from public.contact_messages m
  where m.id in (select c.message_id from private.changes c where c.id = undone and not c.of_note)
  order by m.id for update;
  -- Read again: another caller may have changed some meanwhile.
  select s.changed, s.change into changed, change from public.sort_messages(action, array(
    select c.message_id from private.changes c where c.id = undone and not c.of_note
  ), null) s;
end
$$;

-- Any write to a note invalidates earlier undos of it.
create function private.keep_note() returns trigger
language plpgsql set search_path = ''
as $$
begin
  insert into private.changes (message_id, of_note, id, former_note)
  values (new.id, true, gen_random_uuid(), old.note)
  on conflict (message_id, of_note) do update
  set id = excluded.id, former_note = excluded.former_note, made_at = excluded.made_at;
  return null;
end
$$;

create trigger keep_note after update of note on public.contact_messages
  for each row when (old.note is distinct from new.note) execute function private.keep_note();

-- Saves a note, null for none, if the message is in the box and the note has not changed since the
-- caller saw it (`seen`: its MD5, empty for none). `stored` is the note afterwards. `change` names
-- what this call wrote, for its undo; null if it wrote nothing.
create function public.save_note(
  message uuid, seen text, note text default null, box text default 'any',
  out is_here boolean, out stored text, out change uuid
)
language plpgsql set search_path = ''
as $$
begin
  select m.note into stored from public.contact_messages m
  where m.id = save_note.message and private.state_of(m) = any (private.states_in(box))
  for update;
  is_here := found;
  if is_here and coalesce(md5(stored), '') = seen and stored is distinct from note then
    update public.contact_messages m set note = save_note.note where m.id = save_note.message;
    stored := note;
    select c.id into change from private.changes c where c.message_id = message and c.of_note;
  end if;
end
$$;

-- Restores the former note, if nobody has written another since. Returns the undo's own change; null
-- if it wrote nothing.
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

-- Deletes for good up to 1,000 of the messages that were in the box at a moment, and returns how
-- many. Called until it returns less than 1,000. 0 for everybody but the owner.
create function public.empty_box(box text, until timestamptz) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  deleted integer;
begin
  if (box in ('spam', 'trash')) is not true then
    raise sqlstate 'PT400' using message = 'This box cannot be emptied';
  end if;
  delete from public.contact_messages where id in (
    select m.id from public.contact_messages m
    where (select private.owns_inbox()) and private.state_of(m) = box
      and case box when 'trash' then m.deleted_at else m.created_at end <= until
    limit 1000 for update skip locked
  );
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

-- How long messages are kept. Update the row to change it.
create table private.retention (
  singleton boolean primary key default true check (singleton),
  months integer not null default 24 check (months > 0),
  -- Spam since it became spam, and trash since it was deleted.
  discarded_days integer not null default 30 check (discarded_days > 0)
);
comment on table private.retention is 'Copied';
insert into private.retention default values;

-- What the privacy page says.
create function public.privacy_terms(
  out months integer, out discarded_days integer, out is_counting boolean
)
language sql stable security definer set search_path = ''
as $$
  select r.months, r.discarded_days, c.is_on from private.retention r, private.counting c
$$;

-- A batch of the daily sweep: deletes up to 1,000 messages that were kept long enough, but none that was
-- sorted within a day: its undo must work. Returns how many.
create function public.sweep_messages() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  kept private.retention := (select r from private.retention r);
  discarded_before timestamptz := now() - make_interval(days => kept.discarded_days);
  deleted integer;
begin
  if not private.may_sweep() then
    return 0;
  end if;
  delete from public.contact_messages where id in (
    select m.id from public.contact_messages m
    where m.id in (
      select old.id from private.box_rows(
        'any', now() - make_interval(months => kept.months),
        '00000000-0000-0000-0000-000000000000', 1000
      ) old
      union all (
        select m.id from public.contact_messages m
        where private.state_of(m) = 'spam' and m.spam_at < discarded_before
        limit 1000
      )
      union all (
        select m.id from public.contact_messages m
        where private.state_of(m) = 'trash' and m.deleted_at < discarded_before
        limit 1000
      )
    ) and not exists (
      select from private.changes c
      where c.message_id = m.id and c.made_at > now() - interval '1 day'
    )
    limit 1000 for update of m skip locked
  );
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

-- For the site: a message for its sender, and until when it is kept at most. No row: it is deleted.
create function public.read_receipt(id uuid)
returns table (
  name text, email text, phone text, message text, created_at timestamptz, kept_until timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_site();
  return query
  select m.name, m.email, m.phone, m.message, m.created_at,
    m.created_at + make_interval(months => r.months)
  from public.contact_messages m, private.retention r where m.id = $1;
end
$$;

-- For the site: deletes a message for its sender, with its undo and its notifications. False if it
-- was deleted before.
create function public.withdraw_message(id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_site();
  delete from public.contact_messages m where m.id = $1;
  return found;
end
$$;

-- The row of each change is read as its reader, so nobody would hear of a deletion, and policies do
-- not decide about deletions. Each one updates this row instead: open boards reload.
create table public.inbox_deletions (
  -- By which the embedded part reads a row.
  id uuid primary key default gen_random_uuid(),
  singleton boolean not null unique default true check (singleton),
  last_at timestamptz not null default now()
);
comment on table public.inbox_deletions is 'Not copied: only its updates matter';
insert into public.inbox_deletions default values;

alter table public.inbox_deletions enable row level security;
revoke all on public.inbox_deletions from anon, authenticated;
grant select on public.inbox_deletions to authenticated;
create policy "deletions are seen by the inbox's readers" on public.inbox_deletions
  for select to authenticated using ((select private.may_read_inbox()));
alter publication supabase_realtime add table public.inbox_deletions;

create function private.tell_boards() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.inbox_deletions set last_at = now() where exists (select from removed);
  return null;
end
$$;

create trigger tell_boards after delete on public.contact_messages
  referencing old table as removed for each statement execute function private.tell_boards();

comment on function public.inbox_state is 'Nullable: seen_at';
comment on function public.record_visit is 'Nullable: result';
comment on function public.read_inbox is 'Nullable: seen_at, next_moment, next_id, opened, promised';
comment on function public.sort_messages is 'Nullable: change';
comment on function public.undo_sort is 'Nullable: change';
comment on function public.save_note is 'Nullable: stored, change';
comment on function public.undo_note is 'Nullable: result';
comment on function public.read_receipt is 'Nullable: phone';

grant execute on function private.promised to authenticated, service_role;
grant execute on function
  public.inbox_state, public.record_visit, public.read_inbox, public.sort_messages,
  public.undo_sort, public.save_note, public.undo_note, public.empty_box
  to authenticated, service_role;
-- A site on hosted Supabase calls them as anon, the embedded one as service_role.
grant execute on function
  public.sweep_messages, public.sweep_changes, public.read_receipt, public.withdraw_message,
  public.sweep_attempts
  to anon, service_role;
grant execute on function public.privacy_terms to anon, authenticated, service_role;
