-- What the owner does with messages: answer, archive, mark as spam, throw away, note. A message has
-- one state, by the first of its marks: trash, spam, archived, answered, otherwise waiting.

alter table public.contact_messages
  -- Digits of E.164, without the plus sign.
  add column phone text,
  add column answered_at timestamptz,
  add column archived_at timestamptz,
  add column deleted_at timestamptz,
  -- The owner's own words about the message.
  add column note text,
  -- The signs that the owner took off; they come back when the message is spam again.
  add column accepted_signs text[],
  add constraint phone_is_e164 check (phone ~ '^[1-9][0-9]{6,14}$'),
  add constraint note_length check (char_length(note) between 1 and 2000),
  add constraint note_is_plain check (private.is_plain_text(note) and private.is_visible(note)),
  drop constraint spam_signs_are_known,
  -- owner: the owner said so. The others: 20261121000300_messages.sql.
  add constraint spam_signs_are_known check (
    spam_signs <@ array['trap', 'haste', 'unseen', 'links', 'repeat', 'owner']
    and array_ndims(spam_signs) = 1 and cardinality(spam_signs) <= 5
  ),
  add constraint accepted_signs_are_known check (
    accepted_signs <@ array['trap', 'haste', 'unseen', 'links', 'repeat', 'owner']
    and array_ndims(accepted_signs) = 1 and cardinality(accepted_signs) <= 5
  );

-- Each box is read by its own index. The conditions are those of private.box_rows.
drop index public.contact_messages_newest, public.contact_messages_spam;
create index contact_messages_all on public.contact_messages (created_at desc, id desc)
  where spam_signs is null and archived_at is null and deleted_at is null;
create index contact_messages_waiting on public.contact_messages (created_at desc, id desc)
  where spam_signs is null and archived_at is null and deleted_at is null and answered_at is null;
create index contact_messages_archived on public.contact_messages (created_at desc, id desc)
  where spam_signs is null and archived_at is not null and deleted_at is null;
create index contact_messages_spam on public.contact_messages (created_at desc, id desc)
  where spam_signs is not null and deleted_at is null;
create index contact_messages_trash on public.contact_messages (created_at desc, id desc)
  where deleted_at is not null;
create index contact_messages_purge on public.contact_messages (deleted_at)
  where deleted_at is not null;

grant insert (phone) on public.contact_messages to anon, authenticated;
grant update (answered_at, archived_at, deleted_at, note, accepted_signs) on public.contact_messages
  to authenticated;

create policy "only the owner speaks for the owner" on public.contact_messages
  as restrictive for insert to anon, authenticated
  with check (('owner' = any (spam_signs)) is not true);

-- The counts go on by state; everything is waiting or spam so far.
drop function private.count_message(boolean, integer);
alter table private.message_counts add column state text;
update private.message_counts set state = case when is_spam then 'spam' else 'waiting' end;
alter table private.message_counts alter column state set not null, drop column is_spam;

create function private.state_of(message public.contact_messages) returns text
language sql immutable parallel safe
as $$
  select case
    when message.deleted_at is not null then 'trash'
    when message.spam_signs is not null then 'spam'
    when message.archived_at is not null then 'archived'
    when message.answered_at is not null then 'answered'
    else 'waiting'
  end
$$;

create function private.count_message(in_state text, change integer) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update private.message_counts set messages = messages + change
  where id = (
    select id from private.message_counts where state = in_state
    limit 1 for update skip locked
  );
  if not found then
    insert into private.message_counts (state, messages) values (in_state, change);
  end if;
end
$$;

create or replace function private.count_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.count_message(state, messages) from (
      select private.state_of(a) as state, count(*)::integer as messages from added a group by 1
    ) s;
  elsif tg_op = 'DELETE' then
    perform private.count_message(state, -messages) from (
      select private.state_of(r) as state, count(*)::integer as messages from removed r group by 1
    ) s;
  else
    perform private.count_message(state, change) from (
      select state, sum(one)::integer as change from (
        select private.state_of(r) as state, -1 as one from removed r
        union all select private.state_of(a), 1 from added a
      ) m group by state having sum(one) <> 0
    ) s;
  end if;
  return null;
end
$$;

-- Changes up to 50 messages and returns those that it changed, which is what an undo needs. Others
-- are in another state, or not the caller's to change (row level security).
create function public.sort_messages(action text, ids uuid[]) returns setof uuid
language plpgsql set search_path = ''
as $$
begin
  if cardinality(ids) > 50 or (action in (
    'answer', 'unanswer', 'archive', 'unarchive', 'spam', 'unspam', 'trash', 'restore'
  )) is not true then
    raise sqlstate 'PT400' using message = 'Unknown action, or more than 50 messages';
  end if;
  return query
  with chosen as (
    select m.id from public.contact_messages m
    where m.id = any (ids) and (m.deleted_at is not null) = (action = 'restore')
      and case action
        when 'answer' then m.spam_signs is null and m.answered_at is null
        when 'unanswer' then m.spam_signs is null and m.answered_at is not null
        when 'archive' then m.spam_signs is null and m.archived_at is null
        when 'unarchive' then m.spam_signs is null and m.archived_at is not null
        when 'spam' then m.spam_signs is null
        when 'unspam' then m.spam_signs is not null
        else true
      end
    -- In one order, so that two callers do not wait for each other.
    order by m.id for update
  )
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
  from chosen where m.id = chosen.id
  returning m.id;
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

revoke execute on all functions in schema private from public;
revoke execute on function public.sort_messages, public.empty_box, public.purge_trash
  from public, anon, authenticated;
grant execute on function public.sort_messages, public.empty_box to authenticated;
grant execute on function public.purge_trash to anon, authenticated;
