-- What the owner does on the board: actions on messages, notes, and their undo.

-- The last change of each message and of its note, for their undo. It is stored here, because a
-- page's address can hold neither a note nor the ids of a hundred messages. A day is longer than the
-- board offers an undo (app/routes/admin/done-token.server.ts).
create table private.changes (
  message_id uuid not null references public.contact_messages (id) on delete cascade,
  -- A change of its note, or else of its state.
  of_note boolean not null,
  -- The same for all messages that one action changed.
  id uuid not null,
  former_note text,
  made_at timestamptz not null default now(),
  primary key (message_id, of_note)
);
create index changes_id on private.changes (id);
create index changes_made_at on private.changes (made_at);

alter table private.changes enable row level security;
grant select, insert, update on private.changes to authenticated, service_role;
create policy "changes are the owner's" on private.changes to authenticated
  using ((select private.owns_inbox())) with check ((select private.owns_inbox()));

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
    ('trash', 'deleted_at = now()', 'deleted_at is null'),
    ('restore', 'deleted_at = null, expired_at = null, restored_at = now()', 'deleted_at is not null')
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

comment on function public.sort_messages is 'Nullable: change';
comment on function public.undo_sort is 'Nullable: change';
comment on function public.save_note is 'Nullable: stored, change';
comment on function public.undo_note is 'Nullable: result';

grant execute on function
  public.sort_messages, public.undo_sort, public.save_note, public.undo_note, public.empty_box
  to authenticated, service_role;
