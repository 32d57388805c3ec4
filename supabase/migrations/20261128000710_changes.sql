-- The same actions, without SQL in strings, and always in a box.

create or replace function private.change_messages(
  action text, ids uuid[], out changed integer, out change uuid, out one uuid
)
language plpgsql set search_path = ''
as $$
begin
  if (action in (
    'answer', 'unanswer', 'archive', 'unarchive', 'spam', 'unspam', 'trash', 'restore'
  )) is not true then
    raise sqlstate 'PT400' using message = 'Unknown action';
  end if;
  change := gen_random_uuid();
  with done as (
    update public.contact_messages m set
      answered_at = case action when 'answer' then now() when 'unanswer' then null else m.answered_at end,
      archived_at = case action when 'archive' then now() when 'unarchive' then null else m.archived_at end,
      spam_signs = case action
        when 'spam' then coalesce(m.accepted_signs, array['owner'])
        when 'unspam' then null
        else m.spam_signs
      end,
      accepted_signs = case action
        when 'spam' then null
        when 'unspam' then m.spam_signs
        else m.accepted_signs
      end,
      deleted_at = case action when 'trash' then now() when 'restore' then null else m.deleted_at end,
      expired_at = case action when 'restore' then null else m.expired_at end,
      restored_at = case action when 'restore' then now() else m.restored_at end,
      last_change = change_messages.change
    where m.id = any (ids) and case action
      when 'restore' then m.deleted_at is not null
      when 'trash' then m.deleted_at is null
      when 'unspam' then m.deleted_at is null and m.spam_signs is not null
      else m.deleted_at is null and m.spam_signs is null and case action
        when 'answer' then m.answered_at is null
        when 'unanswer' then m.answered_at is not null
        when 'archive' then m.archived_at is null
        when 'unarchive' then m.archived_at is not null
        else true
      end
    end
    returning m.id
  )
  select count(*), case when count(*) = 1 then (array_agg(done.id))[1] end into changed, one from done;
  if changed = 0 then
    change := null;
  end if;
end
$$;

-- Does an action on up to 100 messages if all of them are in the box.
create or replace function public.sort_messages(
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
    where m.id = any (ids) and m.state = any (private.states_in(box))
    order by m.id for update
  );
  -- Row level security hides messages that the caller may not change.
  if not (ids <@ here) then
    raise sqlstate 'PT409' using message = 'A message is not in this box';
  end if;
  select c.changed, c.change into changed, change from private.change_messages(action, here) c;
end
$$;
