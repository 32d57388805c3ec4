-- What the owner does on the board: actions on messages, their undo, and notes.

-- Does an action on messages. Those in a state that the action does not apply to stay as they are. `change`
-- is the id of the change, for its undo, or null if nothing changed. `one` is the message if exactly one
-- changed.
create function private.change_messages(
  action text, ids uuid[], out changed integer, out change uuid, out one uuid
)
language plpgsql set search_path = ''
as $$
declare
  rule record;
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
  if not found then
    raise sqlstate 'PT400' using message = 'Unknown action';
  end if;
  change := gen_random_uuid();
  execute format(
    'with done as (
      update public.contact_messages set %s, last_change = $1 where id = any ($2) and %s returning id
    )
    select count(*), case when count(*) = 1 then (array_agg(id))[1] end from done',
    rule.assignment, rule.condition
  ) into changed, one using change, ids;
  if changed = 0 then
    change := null;
  end if;
end
$$;

-- Does an action on up to 100 messages if all of them are in the box. If the box is null, they may be
-- anywhere.
create function public.sort_messages(
  action text, ids uuid[], box text default 'any', out changed integer, out change uuid
)
language plpgsql set search_path = ''
as $$
declare
  here uuid[];
begin
  if cardinality(ids) > 100 then
    raise sqlstate 'PT400' using message = 'More than 100 messages';
  end if;
  -- In one order, so that two callers do not wait for each other.
  here := array(
    select m.id from public.contact_messages m
    where m.id = any (ids) and (box is null or m.state = any (private.states_in(box)))
    order by m.id for update
  );
  -- Row level security hides messages that the caller may not change.
  if box is not null and not (ids <@ here) then
    raise sqlstate 'PT409' using message = 'A message is not in this box';
  end if;
  select c.changed, c.change into changed, change from private.change_messages(action, here) c;
end
$$;

-- Does an action on the messages of a box that came up to a moment, which is the box as a page showed it.
-- These are the newest 10,000 at most. It is one change with one undo.
create function public.sort_box(
  action text, box text, until timestamptz, out changed integer, out change uuid
)
language plpgsql set search_path = ''
as $$
begin
  if (box in ('all', 'waiting', 'archived', 'spam', 'trash')) is not true then
    raise sqlstate 'PT400' using message = 'Unknown box';
  end if;
  select c.changed, c.change into changed, change from private.change_messages(action, array(
    select m.id from public.contact_messages m where m.id in (
      select s.id from public.contact_messages s
      where s.state = any (private.states_in(box)) and s.created_at <= until
      order by s.created_at desc, s.id desc limit 10000
    )
    order by m.id for update
  )) c;
end
$$;

-- Undoes a change by the opposite action, for the messages whose last change it is.
create function public.undo_sort(
  undone uuid, action text, out changed integer, out change uuid, out one uuid
)
language sql set search_path = ''
as $$
  -- A row that another caller changed meanwhile is compared again once it is locked.
  select * from private.change_messages(action, array(
    select m.id from public.contact_messages m where m.last_change = undone order by m.id for update
  ))
$$;

-- Saves a note, or deletes it if it is null. False if there is no such message, or the caller may not
-- change it.
create function public.save_note(message uuid, note text default null) returns boolean
language sql set search_path = ''
as $$
  with saved as (
    update public.contact_messages m set note = save_note.note where m.id = save_note.message
    returning m.id
  )
  select exists (select from saved)
$$;

-- Deletes for good up to 1,000 of the messages that were in the box at a moment. Returns how many, which is
-- 0 for everybody but the owner. The site calls it until it returns fewer than 1,000.
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
    where (select private.owns_inbox()) and m.state = box
      and case box when 'trash' then m.deleted_at else m.created_at end <= until
    limit 1000 for update skip locked
  );
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

grant execute on function
  private.change_messages, public.sort_messages, public.sort_box, public.undo_sort, public.save_note,
  public.empty_box to authenticated;
