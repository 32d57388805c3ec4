-- A place for what looks like spam; what a message meets on its way in; how many there are.

alter table public.contact_messages
  add column spam_reason text,
  add constraint spam_reason_is_known
    check (spam_reason in ('trap', 'haste', 'links', 'repeat'));

drop index public.contact_messages_newest;
create index contact_messages_newest on public.contact_messages (created_at desc, id desc)
  where spam_reason is null;
create index contact_messages_spam on public.contact_messages (created_at desc, id desc)
  where spam_reason is not null;
create index contact_messages_text on public.contact_messages (md5(message), created_at);

-- A sender can only ever mark a message as spam; taking the mark off is the reader's.
grant insert (spam_reason) on public.contact_messages to anon, authenticated;
grant update (spam_reason) on public.contact_messages to authenticated;

create policy "whoever reads the inbox sorts it" on public.contact_messages
  for update to authenticated
  using ((select private.may_read_inbox()))
  with check ((select private.may_read_inbox()));

create policy "with the second factor, if there is one, to sort" on public.contact_messages
  as restrictive for update to authenticated using ((select private.second_factor_is_met()));

-- What a message meets on its way in, in this order: a repeat is dropped, a flood is refused,
-- what looks like spam is kept apart.
drop trigger skip_repeated_message on public.contact_messages;
drop function private.skip_repeated_message;

create function private.receive_message() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  content text := md5(new.name || chr(31) || new.email || chr(31) || new.message);
  address text := private.client_address();
  wait integer;
begin
  -- Two copies at the same moment: the second waits here until the first is committed.
  perform pg_advisory_xact_lock(hashtextextended(content, 0));
  if exists (
    select from public.contact_messages
    where md5(name || chr(31) || email || chr(31) || message) = content
      and created_at > clock_timestamp() - interval '10 minutes'
  ) then
    return null;
  end if;

  if address is not null and coalesce(auth.role(), '') <> 'service_role' then
    wait := private.take_attempt('message', address);
    if wait is not null then
      raise sqlstate 'PT429' using message = 'Too many messages', detail = wait::text;
    end if;
    perform private.forget_attempts();
  end if;

  if new.spam_reason is null then
    new.spam_reason := case
      when regexp_count(new.message, 'https?://|www\.', 1, 'i') > 3 then 'links'
      when char_length(new.message) > 20 and exists (
        select from public.contact_messages
        where md5(message) = md5(new.message) and message = new.message
          and created_at > clock_timestamp() - interval '1 day'
      ) then 'repeat'
    end;
  end if;
  return new;
end
$$;

create trigger receive_message before insert on public.contact_messages
  for each row execute function private.receive_message();

-- How many messages there are, kept as they come and go; in slots, so that writers at the same
-- moment do not wait for each other.
create table private.message_counts (
  slot integer,
  is_spam boolean,
  messages bigint not null,
  primary key (slot, is_spam)
);

create function private.count_message(is_spam boolean, change integer) returns void
language sql security definer set search_path = ''
as $$
  insert into private.message_counts as known values (pg_backend_pid() % 16, is_spam, change)
  on conflict (slot, is_spam) do update set messages = known.messages + excluded.messages
$$;

create function private.count_messages() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op <> 'INSERT' then
    perform private.count_message(old.spam_reason is not null, -1);
  end if;
  if tg_op <> 'DELETE' then
    perform private.count_message(new.spam_reason is not null, 1);
  end if;
  return null;
end
$$;

create trigger count_messages after insert or update of spam_reason or delete
  on public.contact_messages for each row execute function private.count_messages();

select private.count_message(false, (select count(*) from public.contact_messages)::integer);

-- What the board tells about itself: whose it is for the caller, and how much it holds.
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

-- The board as one moment saw it: the state above and a page of a box, newest first. Asked for one
-- after the other they would disagree about what came between. Row level security decides about
-- the rows. The page is one message longer than what is shown (pageSize in
-- app/models/message.server.ts), to tell whether older ones follow; each box has its own branch
-- because each has its own index, and a branch that is not asked for is not run.
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
    where not in_spam and m.spam_reason is null
      and (m.created_at, m.id) < (before_moment, before_id)
    order by m.created_at desc, m.id desc limit 51)
    union all
    (select m from public.contact_messages m
    where in_spam and m.spam_reason is not null
      and (m.created_at, m.id) < (before_moment, before_id)
    order by m.created_at desc, m.id desc limit 51)
  ))
  from public.inbox_state() s
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.inbox_state, public.read_inbox from public, anon, authenticated;
grant execute on function public.inbox_state, public.read_inbox to authenticated;
