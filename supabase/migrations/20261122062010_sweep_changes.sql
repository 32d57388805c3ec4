-- What a note was before its last change is forgotten after a day, also if no other change follows.

-- Now says if there may be more.
drop function private.forget_changes();
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

revoke execute on function private.forget_changes, public.sweep_changes from public;
grant execute on function private.forget_changes to authenticated, service_role;
grant execute on function public.sweep_changes to anon, authenticated, service_role;
