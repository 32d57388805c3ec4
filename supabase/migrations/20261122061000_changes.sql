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

-- Forgets up to 100 of yesterday's: no notice is that old (app/session/done-token.server.ts).
create function private.forget_changes() returns void
language sql set search_path = ''
as $$
  delete from private.changes where (message_id, of_note) in (
    select message_id, of_note from private.changes where made_at < now() - interval '1 day'
    limit 100 for update skip locked
  )
$$;

-- Whether a message is in a box: `all` is what the board shows, `any` is all there is.
create function private.is_in_box(message public.contact_messages, box text) returns boolean
language sql immutable parallel safe
as $$
  select case box
    when 'any' then true
    when 'all' then private.state_of(message) in ('waiting', 'answered')
    else private.state_of(message) = box
  end
$$;

drop function public.sort_messages(text, uuid[]);

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
-- what wrote it, if that can still be undone.
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
  if is_here and coalesce(md5(stored), '') = seen then
    update public.contact_messages m set note = save_note.note where m.id = save_note.message;
    stored := note;
  end if;
  if is_here and stored is not distinct from note then
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

comment on function public.sort_messages is 'Nullable: change';
comment on function public.undo_sort is 'Nullable: change';
comment on function public.save_note is 'Nullable: stored, change';
comment on function public.undo_note is 'Nullable: result';

revoke execute on function private.forget_changes, private.is_in_box, private.keep_note from public;
grant execute on function private.forget_changes, private.is_in_box, private.state_of
  to authenticated, service_role;
revoke execute on function
  public.sort_messages, public.undo_sort, public.save_note, public.undo_note
  from public, anon, authenticated;
grant execute on function
  public.sort_messages, public.undo_sort, public.save_note, public.undo_note
  to authenticated, service_role;
