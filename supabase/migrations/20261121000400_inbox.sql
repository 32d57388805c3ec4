-- What the board reads: how many messages there are, and a page of them.

-- Kept as messages come and go. The sum over the rows of a box counts; there are as many rows as
-- there were writers at one moment, so that none waits for another.
create table private.message_counts (
  id integer generated always as identity primary key,
  is_spam boolean not null,
  messages bigint not null
);

create function private.count_message(in_spam boolean, change integer) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update private.message_counts set messages = messages + change
  where id = (
    select id from private.message_counts where is_spam = in_spam
    limit 1 for update skip locked
  );
  if not found then
    insert into private.message_counts (is_spam, messages) values (in_spam, change);
  end if;
end
$$;

create function private.count_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op <> 'INSERT' then
    perform private.count_message(is_spam, -messages) from (
      select spam_signs is not null as is_spam, count(*)::integer as messages
      from removed group by is_spam
    ) box;
  end if;
  if tg_op <> 'DELETE' then
    perform private.count_message(is_spam, messages) from (
      select spam_signs is not null as is_spam, count(*)::integer as messages
      from added group by is_spam
    ) box;
  end if;
  return null;
end
$$;

create trigger count_inserted after insert on public.contact_messages
  referencing new table as added
  for each statement execute function private.count_messages();
create trigger count_updated after update on public.contact_messages
  referencing old table as removed new table as added
  for each statement execute function private.count_messages();
create trigger count_deleted after delete on public.contact_messages
  referencing old table as removed
  for each statement execute function private.count_messages();

-- Whose the inbox is for the caller, and how much it holds.
create function public.inbox_state(
  out owner text, out may_read boolean, out messages bigint, out spam bigint
)
language sql stable security definer set search_path = ''
as $$
  select
    private.inbox_owner(),
    private.may_read_inbox() and private.second_factor_is_met(),
    coalesce(sum(c.messages) filter (where not c.is_spam), 0),
    coalesce(sum(c.messages) filter (where c.is_spam), 0)
  from private.message_counts c
  where private.may_read_inbox() and private.second_factor_is_met()
$$;

-- The state above and a page of a box, newest first, both of one moment: two calls would disagree
-- about what arrived between them. Row level security decides about the rows. The page has one
-- message more than is shown (pageSize in app/models/message.server.ts), which says whether older
-- ones follow. Each box has a branch because each has its own index; a branch of the other box is
-- not run.
create function public.read_inbox(
  in_spam boolean default false,
  before_moment timestamptz default 'infinity',
  before_id uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  out owner text, out may_read boolean, out messages bigint, out spam bigint, out page json
)
language sql stable set search_path = ''
as $$
  select s.*, array_to_json(array(
    (select m from public.contact_messages m
    where not in_spam and m.spam_signs is null
      and (m.created_at, m.id) < (before_moment, before_id)
    order by m.created_at desc, m.id desc limit 51)
    union all
    (select m from public.contact_messages m
    where in_spam and m.spam_signs is not null
      and (m.created_at, m.id) < (before_moment, before_id)
    order by m.created_at desc, m.id desc limit 51)
  ))
  from public.inbox_state() s
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.inbox_state, public.read_inbox from public, anon, authenticated;
grant execute on function public.inbox_state, public.read_inbox to authenticated;
