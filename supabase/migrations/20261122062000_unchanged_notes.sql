-- A save that writes nothing has no undo: it would take away what an earlier one wrote.

-- Saves a note, null for none, if the message is in the box and the note has not changed since the
-- caller saw it (`seen`: its MD5, empty for none). `stored` is the note afterwards, and `change`
-- what this call wrote, null if it wrote nothing.
create or replace function public.save_note(
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
